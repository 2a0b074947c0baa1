import type { BarOptions, BarResult } from '../bar.ts';
import { memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { rawRequest } from '../stage/raw.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const CONNECTIONS = 120;
const EVENTS = 1_000;
const BATCH = 200;
const GROWN_MB_MAX = 150;
/** 30 s without a byte read; Bun looks every four. */
const CLOSED_WITHIN_MS = 45_000;
const NEIGHBOUR_MS_MAX = 1_000;

/** Clients ask for the largest answers that there are, in every form, and read nothing of them. */
export async function tryUnreadAnswers({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  await fill(stage);
  const base = `/api/v1/websites/${stage.website.id}/visitors/ann`;
  const paths = [`${base}?limit=1000`, `${base}?format=ndjson`, `${base}/export`];
  await fetch(stage.url() + paths[0], { headers: authorized(stage) }); // reads what was stored
  await resetMemoryPeak(stage.pid());
  const beforeMb = memoryMb(stage.pid(), 'VmRSS');
  const neighbour = probe(await openNeighbour(stage));
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      connectUnread(stage, paths[index % paths.length] ?? ''),
    ),
  );
  const startedMs = performance.now();
  const faults: string[] = [];
  if (isLong) {
    const all = await until(async () => ((await countOpen(stage)) <= 2 ? true : undefined), CLOSED_WITHIN_MS);
    if (!all) faults.push(`${await countOpen(stage)} connections that read nothing are still open`);
  }
  const tookS = (performance.now() - startedMs) / 1_000;
  await neighbour.stop();
  const grownMb = memoryMb(stage.pid(), 'VmHWM') - beforeMb;
  const worstMs = Math.max(...neighbour.tookMs);
  faults.push(...neighbour.faults);
  if (isLong && grownMb > GROWN_MB_MAX) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
  if (isLong && worstMs > NEIGHBOUR_MS_MAX) faults.push(`a neighbour waited ${worstMs.toFixed(0)} ms`);
  for (const socket of sockets) socket.terminate();
  await stage.service().stop();
  stage.remove();
  return {
    figure: `${CONNECTIONS} connections that read nothing: +${grownMb.toFixed(0)} MB, closed after ${tookS.toFixed(0)} s; totals meanwhile ${percentile(neighbour.tookMs, 0.5).toFixed(0)} ms in the median, ${worstMs.toFixed(0)} at most`,
    faults,
  };
}

const authorized = ({ token }: Stage) => ({ Authorization: `Bearer ${token}` });

async function openNeighbour({ call }: Stage) {
  const email = 'neighbour@example.com';
  const { body } = await call('POST', '/auth/register', { body: { email, password: 'Correct-horse-9' } });
  const token: string = body.tokens.accessToken;
  const website = { name: 'Own', domain: 'https://own.example' };
  const { body: own } = await call('POST', '/websites', { token, body: website });
  return () => call('GET', `/websites/${own.id}/stats`, { token });
}

/** A visitor whose events are as large as events may be. */
async function fill({ call, website }: Stage): Promise<void> {
  const properties = { note: 'x'.repeat(8_000), more: 'y'.repeat(8_000) };
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => ({
      trackingCode: website.trackingCode,
      eventType: 'custom',
      url: `https://example.com/${sent + index}`,
      sessionId: 'tab',
      visitorId: 'ann',
      properties,
    }));
    const { status } = await call('POST', '/events/batch', { body: { events } });
    if (status !== 201) throw new Error(`Events were answered ${status}.`);
  }
}

async function connectUnread(stage: Stage, path: string) {
  const { hostname, port } = new URL(stage.url());
  const headers = [`Host: ${hostname}`, `Authorization: Bearer ${stage.token}`];
  return Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(rawRequest('GET', path, headers));
        socket.pause();
      },
      data() {},
    },
  });
}

/** Connections that the service has open. */
async function countOpen(stage: Stage): Promise<number> {
  const port = Number(new URL(stage.url()).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await Bun.file(`/proc/${stage.pid()}/net/tcp`).text()).split('\n');
  return lines.filter((line) =>
    new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${port} [0-9A-F]{8}:[0-9A-F]{4} 01 `).test(line),
  ).length;
}
