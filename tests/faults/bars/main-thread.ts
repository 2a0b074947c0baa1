import { FUNNELS_MAX, SEGMENTS_MAX, WEBSITES_MAX } from '../../../src/vocabulary/contract.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { probe } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const HELD_MS_MAX = 200;
/** The shortest of these counts: what else the machine does makes it longer. */
const TRIES = 3;
const WEBSITES = { short: 50, long: WEBSITES_MAX };
const SAVED = { short: 20, long: SEGMENTS_MAX };
const ANNOTATIONS = { short: 50, long: 2_000 };
const AT_ONCE = 20;

type Request = {
  name: string;
  method?: string;
  path: string;
  body?: unknown;
  status: number;
  times?: number;
};

/** An account with as much as it may have asks for what is dear to read or to list; pings pass it. */
export async function tryMainThread({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const requests = await prepare(stage, isLong);
  const faults: string[] = [];
  const figures: string[] = [];
  for (const request of requests) {
    let held = Number.POSITIVE_INFINITY;
    for (let time = 0; time < (isLong ? TRIES : 1); time += 1)
      held = Math.min(held, await send(stage, request, faults));
    figures.push(`${request.name} ${held.toFixed(0)} ms`);
    if (isLong && held > HELD_MS_MAX)
      faults.push(`${request.name}: a ping waited ${held.toFixed(0)} ms, at most ${HELD_MS_MAX} may be`);
  }
  await stage.service().stop();
  stage.remove();
  return { figure: figures.join('; '), faults };
}

/** @returns the longest that a ping took meanwhile */
async function send(
  { call, token, url }: Stage,
  { name, method = 'GET', path, body, status, times = 1 }: Request,
  faults: string[],
): Promise<number> {
  const pings = probe(() => fetch(`${url()}/api/ping`), { everyMs: 5 });
  const answers = await Promise.all(
    Array.from({ length: times }, () => call(method, path, { token, ...(body !== undefined && { body }) })),
  );
  await pings.stop();
  const others = answers.filter((answer) => answer.status !== status);
  if (others.length > 0) faults.push(`${name}: answered ${others[0]?.status} in place of ${status}`);
  faults.push(...pings.faults);
  return Math.max(...pings.tookMs);
}

const DEAR = Array.from({ length: 10 }, (_, index) => `(a?){254}${index}`);

async function prepare({ call, token, website }: Stage, isLong: boolean): Promise<Request[]> {
  const size = isLong ? 'long' : 'short';
  const base = `/websites/${website.id}`;
  const add = async (path: string, body: unknown): Promise<void> => {
    const { status, body: answer } = await call('POST', path, { token, body });
    if (status !== 201) throw new Error(`${path} was answered ${status}: ${JSON.stringify(answer)}`);
  };

  for (let index = 0; index < SAVED[size]; index += 1) {
    await add(`${base}/segments`, { name: `s${index}`, filters: [['matches', 'page', DEAR]] });
    if (index < 2) await add(`${base}/goals`, { name: `g${index}`, type: 'page', match: `/${index}` });
  }
  const mentions = Array.from({ length: SAVED[size] }, (_, index) => `s${index}`);
  for (let index = 0; index < Math.min(FUNNELS_MAX, SAVED[size]); index += 1)
    await add(`${base}/funnels`, {
      name: `f${index}`,
      steps: [
        ['is', 'segment', ['s0']],
        ['is', 'page', Array.from({ length: 200 }, (_, value) => `/${value}`.padEnd(60, 'x'))],
      ],
    });
  for (let index = 0; index < ANNOTATIONS[size]; index += 1)
    await add(`${base}/annotations`, { at: index * 3_600_000, text: `deploy ${index}`.padEnd(200, '.') });
  for (let index = 1; index < WEBSITES[size]; index += 1) {
    const domain = `https://site${index}.example`;
    const { body } = await call('POST', '/websites', { token, body: { name: domain, domain } });
    const timezone = ZONES[index % ZONES.length];
    await call('PATCH', `/websites/${body.id}/settings`, { token, body: { timezone } });
  }

  const filters = (value: unknown) => `filters=${encodeURIComponent(JSON.stringify(value))}`;
  const repeated = ['is', 'segment', Array(200).fill('s0')];
  const query = (value: unknown) => ({ metrics: ['visitors'], date_range: 'day', filters: value });
  return [
    { name: 'one segment 200 times', path: `${base}/stats?${filters([repeated])}`, status: 200 },
    { name: 'seven times that', path: `${base}/stats?${filters(Array(7).fill(repeated))}`, status: 400 },
    { name: 'all segments', path: `${base}/stats?${filters([['is', 'segment', mentions]])}`, status: 400 },
    {
      name: 'a list of segments and a pattern',
      path: `${base}/stats?${filters([repeated, ['matches', 'page', ['a']]])}`,
      status: 400,
    },
    {
      name: 'many patterns',
      path: `${base}/stats?${filters(Array(40).fill(['matches', 'page', DEAR]))}`,
      status: 400,
    },
    {
      name: 'a query of segments',
      method: 'POST',
      path: `${base}/query`,
      body: query(Array(5).fill(repeated)),
      status: 400,
    },
    {
      name: 'a query of patterns',
      method: 'POST',
      path: `${base}/query`,
      body: query(Array(50).fill(['matches', 'visit:channel', DEAR])),
      status: 400,
    },
    {
      name: 'a funnel of segments',
      path: `${base}/stats/funnel?steps=${encodeURIComponent(JSON.stringify(Array(12).fill(['is', 'segment', Array(90).fill('s0')])))}`,
      status: 400,
    },
    { name: 'segments', path: `${base}/segments`, status: 200, times: AT_ONCE },
    { name: 'names of segments', path: `${base}/profile/segments`, status: 200, times: AT_ONCE },
    { name: 'funnels', path: `${base}/funnels`, status: 200, times: AT_ONCE },
    { name: 'annotations', path: `${base}/annotations`, status: 200, times: AT_ONCE },
    { name: 'goals', path: `${base}/goals`, status: 200, times: AT_ONCE },
    { name: 'websites', path: '/websites', status: 200, times: AT_ONCE },
    { name: 'the overview', path: '/stats/websites?series=true', status: 200, times: 2 },
  ];
}

const ZONES = Intl.supportedValuesOf('timeZone');
