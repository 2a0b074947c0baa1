import { DIMENSIONS } from '../../../src/vocabulary/analytics.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { percentile } from '../stage/measure.ts';
import { rawRequest } from '../stage/raw.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const QUESTIONS = 30;
/** Questions of one public website that are answered at the same time. */
const AT_ONCE_MAX = 4;
/** Fills the line, and more. */
const FLOOD = 140;
const WAITING_MAX = 100;
const NEIGHBOUR_MS_MAX = 1_000;

/** Strangers ask a public website for as much as one request may, and leave or stay; a neighbour does not notice. */
export async function tryDearQuestions({ isLong, seed }: BarOptions): Promise<BarResult> {
  const rounds = isLong ? 5 : 1;
  const stage = await openStage({ seed });
  const dear = await publishDemo(stage);
  const { ask, alone } = await openNeighbour(stage, isLong);
  const faults: string[] = [];
  const tookMs: number[] = [];

  async function askBeside(): Promise<void> {
    const { status, ms } = await ask();
    tookMs.push(ms);
    if (status !== 200) faults.push(`a neighbour was answered ${status}`);
  }

  const before = await countEnded(stage);
  for (let round = 0; round < rounds; round += 1) {
    const gone = await openStrangers(stage, dear, QUESTIONS);
    gone.leave();
    await askBeside();
    const staying = await openStrangers(stage, dear, QUESTIONS);
    await askBeside();
    staying.leave();
  }
  const asked = rounds * 2 * QUESTIONS;
  const dropped = await until(async () => {
    const now = await countEnded(stage);
    const answered = now.answered - before.answered - tookMs.length;
    const refused = now.refused - before.refused;
    return answered + refused >= asked ? refused : undefined;
  });
  if (dropped === undefined || dropped < asked - rounds * 2 * AT_ONCE_MAX)
    faults.push(`of ${asked} whose asker had gone ${dropped} were dropped`);

  const flood = await openStrangers(stage, dear, FLOOD);
  await askBeside();
  const refused = flood.answers.filter(({ status }) => status === 503);
  flood.leave();
  if (refused.length < FLOOD - WAITING_MAX - AT_ONCE_MAX * 2)
    faults.push(`of ${FLOOD} at once ${refused.length} were refused`);
  if (refused.some(({ head }) => !/retry-after: \d/i.test(head))) faults.push('a 503 without Retry-After');
  const worstMs = Math.max(...tookMs);
  if (isLong && worstMs > NEIGHBOUR_MS_MAX) faults.push(`a neighbour waited ${worstMs.toFixed(0)} ms`);
  await stage.service().stop();
  stage.remove();
  return {
    figure: `${dropped} of ${asked} whose asker had gone were dropped; ${refused.length} of ${FLOOD} at once refused; a neighbour waited ${percentile(tookMs, 0.5).toFixed(0)} ms in the median, at most ${worstMs.toFixed(0)}, alone ${alone.toFixed(0)}`,
    faults,
  };
}

/** The most that one request may ask about a public website of 60,000 events. @returns its path */
async function publishDemo({ call, token }: Stage): Promise<string> {
  const { body } = await call('POST', '/demo', { token });
  const { id } = body.website;
  await call('PATCH', `/websites/${id}/settings`, { token, body: { isPublic: true } });
  const nowhere = Array.from({ length: 90 }, (_, index) => `${index}`.padStart(60, 'x'));
  const query = new URLSearchParams({
    period: '90d',
    breakdowns: DIMENSIONS.join(','),
    limit: '1000',
    compare: 'previous',
    filters: JSON.stringify(['contains_not', 'page', nowhere]),
  });
  return `/api/v1/websites/${id}/stats/dashboard?${query}`;
}

/** Another owner. `alone`: how long the totals take without other questions. */
async function openNeighbour({ call }: Stage, hasEvents: boolean) {
  const { body } = await call('POST', '/auth/register', {
    body: { email: 'neighbour@example.com', password: 'Correct-horse-9' },
  });
  const token: string = body.tokens.accessToken;
  const website = hasEvents
    ? (await call('POST', '/demo', { token })).body.website
    : (await call('POST', '/websites', { token, body: { name: 'Own', domain: 'https://own.example' } })).body;

  async function ask(): Promise<{ status: number; ms: number }> {
    const startedMs = performance.now();
    const { status } = await call('GET', `/websites/${website.id}/stats`, { token });
    return { status, ms: performance.now() - startedMs };
  }
  await ask(); // reads what was stored
  return { ask, alone: (await ask()).ms };
}

type Strangers = { answers: { status: number; head: string }[]; leave(): void };

/** Sends requests, each on a connection of its own, and waits until the service is at work on them. */
async function openStrangers(stage: Stage, path: string, count: number): Promise<Strangers> {
  const { hostname, port } = new URL(stage.url());
  const answers: Strangers['answers'] = [];
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          // Each is a question of its own: equal ones would be answered once.
          open: (socket) =>
            void socket.write(rawRequest('GET', `${path}&stranger=${index}`, [`Host: ${hostname}`])),
          data(_, chunk) {
            const head = chunk.toString('latin1');
            if (head.startsWith('HTTP/1.1')) answers.push({ status: Number(head.slice(9, 12)), head });
          },
        },
      }),
    ),
  );
  await fetch(`${stage.url()}/api/ping`); // on a connection that was made after theirs
  return { answers, leave: () => sockets.forEach((socket) => void socket.terminate()) };
}

/** Requests about statistics that have come to their end, by what the service says of itself. */
async function countEnded({ url }: Stage): Promise<{ answered: number; refused: number }> {
  const text = await (await fetch(`${url()}/metrics`)).text();
  const count = (status: string) =>
    Number(text.match(`requests_total{group="statistics",status="${status}"} (\\d+)`)?.[1]);
  return { answered: count('2xx'), refused: count('4xx') };
}
