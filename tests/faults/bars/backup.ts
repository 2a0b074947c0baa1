import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataDir } from '../../support/process.ts';
import { PROGRAM } from '../../support/program.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createAudit } from '../stage/audit.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { percentile } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CLIENTS = 8;
const PAUSE_MS = 10;
const SLOWER_MAX = 2;
/** One backup in so long a load, against as long a load without; what was asked while it ran is judged. */
const LOAD_MS = 20_000;
const SHORT_LOAD_MS = 500;
const ROUNDS = 3;
const WARM_UP_MS = 3_000;
/** Time for the last requests to be answered. */
const LAST_ANSWERS_MS = 300;
const FILLED = 200_000;
const FILLED_A_BATCH = 1_000;
const PERMISSIONS = 0o777;
const SECRET_TEXT = 'Correct-horse-9';
/** The address that a visitor's proxy names. */
const VISITOR_ADDRESS = '198.51.100.77';

/** Backups are made under load, and the last one restored: everything acknowledged before it is there, nothing private. */
export async function tryBackup({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const stage = await openStage({ seed, environment: { TRUST_PROXY: '1', ACCESS_LOG: 'on' } });
  const { body: made } = await stage.call('POST', '/auth/api-keys', {
    token: stage.token,
    body: { name: 'k' },
  });
  await sendFromAddress(stage);
  if (isLong) await fill(stage, FILLED);
  const answers: Answered[] = [];
  const clients = stage.createClients(CLIENTS, {
    pauseMs: PAUSE_MS,
    observe: (answer) => answer && answers.push(answer),
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(isLong ? WARM_UP_MS : 500);
  const copy = join(stage.dataDir, 'copy.db');
  /** Latencies of loads without a backup, of loads with one, and during the backup alone. */
  const p99 = { alone: [] as number[], withBackup: [] as number[], during: [] as number[] };
  /** How many were acknowledged before the last backup began; they are in the order in which they were. */
  let countBefore = 0;
  const backupMs: number[] = [];
  const load = () => Bun.sleep(isLong ? LOAD_MS : SHORT_LOAD_MS);

  async function backUp(): Promise<void> {
    countBefore = stage.ledger.acknowledged.size;
    const startedMs = performance.now();
    await runCommand(stage.environment, ['backup', '--to', copy]);
    backupMs.push(performance.now() - startedMs);
  }
  for (let round = 0; round < (isLong ? ROUNDS : 1); round += 1) {
    await rm(copy, { force: true });
    p99.alone.push(await p99While(load, answers));
    const fromMs = performance.now();
    p99.withBackup.push(await p99While(() => Promise.all([load(), backUp()]), answers));
    p99.during.push(p99Between(fromMs, fromMs + (backupMs.at(-1) ?? 0), answers));
  }
  isOver = true;
  await running;

  const withBackup = percentile(p99.withBackup, 0.5);
  const during = percentile(p99.during, 0.5);
  const alone = percentile(p99.alone, 0.5);
  const failed = answers.filter(({ status }) => status !== 201).length;
  if (failed > 0) faults.push(`${failed} requests were refused`);
  if (isLong && during > alone * SLOWER_MAX)
    faults.push(`p99 was ${during.toFixed(1)} ms while a backup ran, ${alone.toFixed(1)} ms without`);

  const before = new Map([...stage.ledger.acknowledged].slice(0, countBefore));
  const target = createDataDir();
  await runCommand({ DATA_DIR: target.path }, ['restore', copy]);
  const onlyBefore = { ...stage.ledger, acknowledged: before };
  const restored = createAudit(join(target.path, 'pagemeter.db'), onlyBefore);
  faults.push(...(await restored()).map((fault) => `the restored copy: ${fault}`));
  const log = stage.service().output() + stage.service().errors();
  faults.push(...findPrivate(stage, [made.key, stage.token], log));
  faults.push(...(await stage.finish(clients)));
  target.remove();
  return {
    figure: `${backupMs.length} backups of ${percentile(backupMs, 0.5).toFixed(0)} ms; ${stage.ledger.acknowledged.size} events acknowledged, ${before.size} before the last one began, all restored; ${failed} refused; p99 ${withBackup.toFixed(1)} ms of loads with one (${inWords(p99.withBackup)}), ${alone.toFixed(1)} ms without (${inWords(p99.alone)}), ${during.toFixed(1)} ms while it ran (${inWords(p99.during)}); ${faults.length} faults`,
    faults,
  };
}

/** The p99 of the requests sent while the work ran, in milliseconds. */
async function p99While(work: () => Promise<unknown>, answers: readonly Answered[]): Promise<number> {
  const fromMs = performance.now();
  await work();
  const toMs = performance.now();
  await Bun.sleep(LAST_ANSWERS_MS);
  return p99Between(fromMs, toMs, answers);
}

function p99Between(fromMs: number, toMs: number, answers: readonly Answered[]): number {
  const meanwhile = answers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  return percentile(
    meanwhile.map(({ tookMs }) => tookMs),
    0.99,
  );
}

function inWords(p99s: readonly number[]): string {
  return p99s.map((p99) => p99.toFixed(0)).join(', ');
}

/** A database of some size, so that a backup of it takes a second or two. */
async function fill({ ledger, website, call }: Stage, count: number): Promise<void> {
  const { trackingCode } = website;
  for (let sent = 0; sent < count; sent += FILLED_A_BATCH) {
    const events = Array.from({ length: FILLED_A_BATCH }, () => ledger.create());
    const inputs = events.map((event, index) => ({
      ...event,
      trackingCode,
      eventType: 'pageview',
      sessionId: `session-${index % 100}`,
      visitorId: `visitor-${index % 100}`,
    }));
    const { status } = await call('POST', '/events/batch', { body: { events: inputs } });
    if (status !== 201) throw new Error(`A batch was answered ${status}.`);
    ledger.acknowledge(events);
  }
}

async function sendFromAddress(stage: Stage): Promise<void> {
  const event = stage.ledger.create();
  const { trackingCode } = stage.website;
  const response = await fetch(`${stage.url()}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': VISITOR_ADDRESS },
    body: JSON.stringify({ ...event, trackingCode, eventType: 'pageview', sessionId: 's', visitorId: 'v' }),
  });
  if (response.status !== 201) throw new Error(`The event was answered ${response.status}.`);
  stage.ledger.acknowledge([event]);
}

/** Files are for their owner alone, and neither they nor the log hold an address, a password or a credential. */
function findPrivate(stage: Stage, credentials: readonly string[], log: string): string[] {
  const faults: string[] = [];
  const files = readdirSync(stage.dataDir).filter((name) => statSync(join(stage.dataDir, name)).isFile());
  const texts = new Map(files.map((name) => [name, readFileSync(join(stage.dataDir, name), 'latin1')]));
  for (const name of files) {
    const mode = statSync(join(stage.dataDir, name)).mode & PERMISSIONS;
    if (mode !== 0o600) faults.push(`${name} has the mode ${mode.toString(8)}`);
  }
  for (const [name, text] of [...texts, ['the log', log] as const])
    for (const secret of [VISITOR_ADDRESS, SECRET_TEXT, ...credentials])
      if (text.includes(secret)) faults.push(`${name} holds ${secret.slice(0, 12)}…`);
  return faults;
}

async function runCommand(environment: Record<string, string>, command: string[]): Promise<void> {
  const child = Bun.spawn([...PROGRAM, ...command], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`pagemeter ${command.join(' ')} failed.`);
}
