import type { GoalInput } from '../contract/goal.ts';
import type { Website } from '../contract/website.ts';
import type { Goals } from '../goals/service.ts';
import type { NewEvent, Outcome } from '../log/event.ts';
import type { Annotations } from '../saved/annotations.ts';
import { DEMO_DOMAIN } from '../vocabulary/contract.ts';
import { AppError, unavailableError } from '../vocabulary/errors.ts';
import type { Websites } from '../websites/service.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import { type Story, tellStory } from './story.ts';
import { generateTraffic } from './traffic.ts';
import { type TrafficEvent, toNewEvent } from './traffic-event.ts';

const DEMO_DAYS = 90;
export const DEMO_EVENTS = 60_000;
const EVENTS_A_GROUP = 250;
/** Each takes four seconds of one core. Twelve at once took longer than a connection lasts, and slowed all ingest. */
const LOADS_MAX = 2;
const RETRY_AFTER_S = 5;
/** Between two loads of an account. */
const PAUSE_MS = 60_000;

/** Goals of the demo. */
export const DEMO_GOALS: readonly GoalInput[] = [
  { name: 'Signup', type: 'event', match: 'signup' },
  {
    name: 'Paid signup',
    type: 'event',
    match: 'signup',
    properties: [{ key: 'plan', operator: 'is', values: ['pro', 'team'] }],
  },
  { name: 'Purchase', type: 'event', match: 'purchase' },
  { name: 'Prices seen', type: 'page', match: '/pricing', isPublic: true },
  { name: 'Outbound links', type: 'click', match: 'outbound' },
];

/** Goal whose rate the demo shows with every figure. */
const PRIMARY = 'Purchase';

export const DEMO = {
  name: 'Demo',
  domain: DEMO_DOMAIN,
  description: 'Simulated traffic that continues while the server runs. Delete it at any time.',
};
export const DEMO_SITE = { domain: new URL(DEMO_DOMAIN).hostname, share: 1, pages: 200 };

type Deps = {
  websites: Pick<
    Websites,
    | 'begin'
    | 'finish'
    | 'removeUnfinished'
    | 'findOwned'
    | 'remove'
    | 'findTracked'
    | 'updateSettings'
    | 'find'
  >;
  goals: Pick<Goals, 'create'>;
  annotations: Pick<Annotations, 'create'>;
  /** Stores a group of events, and lets others have their turn before it answers. */
  write: (events: NewEvent[]) => Promise<Outcome[]>;
  now: () => number;
  /** Never goes back. */
  monotonicMs: () => number;
};

export type Demo = {
  /**
   * Adds the demo website to an account, with 90 days of invented traffic until now: all of it or nothing. A killed process
   * leaves a part, which the next load or the next start of the service removes. (If another process is still loading it,
   * that one finds its website gone, and says so.)
   *
   * @throws AppError CONFLICT when the account has it, or it was deleted while it was loaded,
   * RATE_LIMITED within a minute of the load before, SERVICE_UNAVAILABLE while others are loading theirs; what `write`
   * throws
   */
  load(userId: string): Promise<{ website: Website; events: number }>;
  /** Deletes it again; its events go in the background. @throws AppError NOT_FOUND */
  remove(userId: string): Promise<void>;
};

/**
 * A website with invented traffic to look at before there is any of one's own. An ordinary website otherwise, so
 * nothing of it mixes with real figures and it is deleted like any other.
 */
export function createDemo({ websites, goals, annotations, write, now, monotonicMs }: Deps): Demo {
  const loading = new Set<string>();
  /** When accounts loaded theirs: those of the last minute. */
  const loadedAtMs = new Map<string, number>();
  return { load: loadInTurn, remove };

  async function loadInTurn(userId: string): Promise<{ website: Website; events: number }> {
    if (loading.has(userId)) throw alreadyThere();
    if (loading.size >= LOADS_MAX)
      throw unavailableError('Others are loading their demo data; try again in a moment', RETRY_AFTER_S);
    loading.add(userId);
    return websites
      .removeUnfinished(userId)
      .then(() => requirePause(userId))
      .then(() => load(userId))
      .then((loaded) => {
        loadedAtMs.set(userId, monotonicMs());
        return loaded;
      })
      .finally(() => loading.delete(userId));
  }

  /** To load and delete in a loop would keep a core busy. @throws AppError RATE_LIMITED, CONFLICT when it is still there */
  async function requirePause(userId: string): Promise<void> {
    const nowMs = monotonicMs();
    for (const [id, atMs] of loadedAtMs) if (nowMs - atMs >= PAUSE_MS) loadedAtMs.delete(id);
    const atMs = loadedAtMs.get(userId);
    if (atMs === undefined) return;
    if (await find(userId)) throw alreadyThere();
    const retryAfterS = Math.ceil((PAUSE_MS - (nowMs - atMs)) / 1_000);
    throw new AppError('RATE_LIMITED', 'This account has loaded demo data in the last minute', {
      headers: { 'Retry-After': String(retryAfterS) },
    });
  }

  async function load(userId: string): Promise<{ website: Website; events: number }> {
    const website = await websites.begin(userId, DEMO).catch(rethrowTaken);
    try {
      const events = await fill(website);
      await addGoals(website);
      await websites.finish(userId, website.id).catch(rethrowGone);
      return { website, events };
    } catch (error) {
      await websites.remove(userId, website.id).catch(() => {}); // gone already, or the database refuses that too
      throw error;
    }
  }

  async function fill({ trackingCode }: Website): Promise<number> {
    const tracked = await websites.findTracked(trackingCode);
    if (!tracked) throw deletedMeanwhile();
    let count = 0;
    const history = makeHistory(tracked.key, now());
    for (const group of groups(tracked, history)) {
      const outcomes = await write(group);
      if (outcomes.some(({ kind }) => kind === 'gone')) throw deletedMeanwhile();
      count += group.length;
    }
    for (const { atMs, text } of history.story.annotations)
      await annotations.create({ key: tracked.key, timezone: 'UTC' }, { at: atMs, text });
    return count;
  }

  async function addGoals({ id, trackingCode }: Website): Promise<void> {
    const tracked = await websites.findTracked(trackingCode);
    const website = await websites.find(id);
    if (!tracked || !website) throw deletedMeanwhile();
    for (const goal of DEMO_GOALS) {
      const { id: primaryGoalId, name } = await goals.create(tracked.key, goal);
      if (name === PRIMARY) await websites.updateSettings({ website, role: 'owner' }, { primaryGoalId });
    }
  }

  function find(userId: string) {
    return websites.findOwned(userId, DEMO_DOMAIN);
  }

  async function remove(userId: string): Promise<void> {
    const demo = await find(userId);
    if (!demo) throw new AppError('NOT_FOUND', 'This account has no demo website');
    await websites.remove(userId, demo.id);
  }

  function* groups(website: TrackedWebsite, { story, traffic }: History): Generator<NewEvent[]> {
    let group: NewEvent[] = [];
    for (const event of inOrder(story.events, traffic)) {
      group.push(toNewEvent(event, website));
      if (group.length < EVENTS_A_GROUP) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }
}

type History = { story: Story; traffic: Iterable<TrafficEvent> };

/** Makes DEMO_EVENTS events: a story, and everyday traffic around it. */
function makeHistory(seed: number, endMs: number): History {
  // The key of a website is never given out twice, so the ids of the events are new as well.
  const story = tellStory({ seed, domain: DEMO_SITE.domain, days: DEMO_DAYS, endMs });
  const events = DEMO_EVENTS - story.events.length;
  const common = { seed, websites: [DEMO_SITE], days: DEMO_DAYS, endMs, hasSales: false };
  return { story, traffic: generateTraffic({ ...common, events }) };
}

/** Merges two sequences that are in order of time. */
function* inOrder(some: readonly TrafficEvent[], others: Iterable<TrafficEvent>): Generator<TrafficEvent> {
  let index = 0;
  for (const event of others) {
    for (let next = some[index]; next && next.createdAtMs <= event.createdAtMs; next = some[index]) {
      yield next;
      index += 1;
    }
    yield event;
  }
  yield* some.slice(index);
}

function rethrowTaken(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
  throw alreadyThere();
}

function alreadyThere(): AppError {
  return new AppError('CONFLICT', 'This account has the demo website already');
}

function rethrowGone(error: unknown): never {
  throw error instanceof AppError && error.code === 'NOT_FOUND' ? deletedMeanwhile() : error;
}

function deletedMeanwhile(): AppError {
  return new AppError('CONFLICT', 'The demo website was deleted while it was being loaded');
}
