import { createRandom, type Random } from '../../../src/demo/random.ts';
import { type FaultyProxy, NETWORK_FAULTS, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../../support/process.ts';
import { type Sqld, startSqld } from '../../support/sqld.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createClient } from '../stage/clients.ts';
import { createLedger } from '../stage/ledger.ts';
import { createRemoteAudit } from '../stage/remote-audit.ts';
import { createSpam, SPAM } from '../stage/spam.ts';

const CYCLES_LONG = 40;
const PROCESSES = 2;
const CLIENTS = 8;
const LOAD_MS_MIN = 200;
const LOAD_MS_MAX = 600;
/** Share of faulty requests to the server under load. */
const FAULTY_SHARE = 0.05;
const FROZEN_MS = 300;
const AWAY_MS_MAX = 1_000;
/** Processes that share accounts share the secret that signs their tokens. */
const JWT_SECRET = 'a secret that two processes share, of 32 characters';

/** Disturbances in the middle of a cycle's load, in turn. */
const DISTURBANCES = ['server killed', 'connections cut', 'server frozen', 'process killed'] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/**
 * Two real processes on one real libSQL server, over a network that loses requests and answers, while the server or a
 * process is killed and some events are erased by a filter. After each cycle the log is compared with what was
 * acknowledged, and so are the figures of both.
 */
export async function tryRemote({ isLong, seed }: BarOptions): Promise<BarResult> {
  const cycles = isLong ? CYCLES_LONG : DISTURBANCES.length;
  const random = createRandom(seed);
  const sqld = await startSqld();
  if (!sqld) throw new Error(`There is no sqld for ${process.platform}-${process.arch}.`);
  const proxy = await startFaultyProxy(sqld.url);
  const dirs = Array.from({ length: PROCESSES }, createDataDir);
  const start = (index: number) =>
    startProcess({
      DATA_DIR: dirs[index]?.path ?? '',
      DATABASE_URL: proxy.url,
      JWT_SECRET,
      LIMIT_COLLECT_PER_S: '0',
    });
  const services = [await start(0), await start(1)];
  const ledger = createLedger();
  const { audit, storedCount, close } = createRemoteAudit(sqld.url, ledger);
  const owner = await createOwner(services[0]?.url ?? '');
  const spam = createSpam(sqld.url, owner);
  const clients = Array.from({ length: CLIENTS }, () =>
    createClient({ trackingCode: owner.trackingCode, ledger, random }),
  );
  const faults: string[] = [];
  let networkFaults = 0;

  const run = (isDone: () => boolean) =>
    Promise.all(clients.map((client, index) => client.run(services[index % PROCESSES]?.url ?? '', isDone)));

  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const what: Disturbance = DISTURBANCES[cycle % DISTURBANCES.length] ?? 'connections cut';
    let isDone = false;
    if (cycle > 1) await spam.store(); // from then on there is a counter
    proxy.onRequest(() => {
      if (!random.chance(FAULTY_SHARE)) return undefined;
      networkFaults += 1;
      return NETWORK_FAULTS[random.below(NETWORK_FAULTS.length)];
    });
    const running = run(() => isDone);
    await loadFor(random);
    const erasing = spam.erase(() => services[cycle % PROCESSES]?.url ?? '');
    await disturb(what, { sqld, proxy, random, services, restart: start });
    await loadFor(random);
    isDone = true;
    await running;
    proxy.onRequest(() => undefined);
    await run(() => true); // those whose process was killed
    const found = [...(await erasing), ...(await audit())];
    for (const { url } of services) found.push(...(await compareFigures(url, owner, storedCount())));
    faults.push(...found.map((fault) => `cycle ${cycle}, ${what}: ${fault}`));
  }
  if (clients.some((client) => client.pending().length > 0)) faults.push('not everything was acknowledged');
  for (const service of services)
    if ((await service.stop()) !== 0) faults.push('a process did not stop in order');
  close();
  spam.close();
  proxy.stop();
  await sqld.stop();
  for (const dir of dirs) dir.remove();
  const acknowledged = ledger.acknowledged.size;
  if (acknowledged === 0 || networkFaults === 0) faults.push('there was no load, or nothing happened to it');
  return {
    figure: `${cycles} cycles of two processes on a server: ${acknowledged} events acknowledged and ${(cycles - 1) * SPAM} others erased through ${networkFaults} faults of the network, ${faults.length} faults`,
    faults,
  };
}

function loadFor(random: Random): Promise<void> {
  return Bun.sleep(LOAD_MS_MIN + random.below(LOAD_MS_MAX - LOAD_MS_MIN));
}

type Stage = {
  sqld: Sqld;
  proxy: FaultyProxy;
  random: Random;
  services: ServiceProcess[];
  restart: (index: number) => Promise<ServiceProcess>;
};

async function disturb(what: Disturbance, { sqld, proxy, random, services, restart }: Stage): Promise<void> {
  switch (what) {
    case 'connections cut':
      return proxy.cutAll();
    case 'server frozen':
      sqld.freeze();
      await Bun.sleep(FROZEN_MS);
      return sqld.thaw();
    case 'server killed':
      await sqld.kill();
      await Bun.sleep(random.below(AWAY_MS_MAX));
      return sqld.start();
    case 'process killed': {
      const index = random.below(services.length);
      services[index]?.process.kill('SIGKILL');
      await services[index]?.process.exited;
      proxy.onRequest(() => undefined); // a start that meets a fault ends, and says so
      services[index] = await restart(index);
    }
  }
}

type Owner = { token: string; websiteId: string; trackingCode: string };

async function createOwner(url: string): Promise<Owner> {
  const account = { email: 'owner@example.com', password: 'Correct-horse-9' };
  const { tokens } = await post(`${url}/api/v1/auth/register`, account);
  const token = tokens?.accessToken ?? '';
  const site = { name: 'Example', domain: 'https://example.com' };
  const { id = '', trackingCode = '' } = await post(`${url}/api/v1/websites`, site, token);
  return { token, websiteId: id, trackingCode };
}

/** The clients call themselves what their HTTP library does, which the service takes for a bot. */
async function compareFigures(url: string, { token, websiteId }: Owner, stored: number): Promise<string[]> {
  const ask = () =>
    fetch(`${url}/api/v1/websites/${websiteId}/stats?period=7d&traffic=all`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  let response = await ask();
  while (response.status === 503) response = await ask(); // it is still reading the log
  // Whose form other tests check.
  const { events } = (await response.json()) as { events?: number };
  return events === stored ? [] : [`a process counts ${events} events of ${stored} (${response.status})`];
}

type Created = { tokens?: { accessToken: string }; id?: string; trackingCode?: string };

async function post(url: string, body: object, token?: string): Promise<Created> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Created;
}
