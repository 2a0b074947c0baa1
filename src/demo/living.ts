import type { NewEvent, Outcome } from '../log/event.ts';
import { DAY_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import type { Websites } from '../websites/service.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import { mix } from './random.ts';
import { generateTraffic } from './traffic.ts';
import { toNewEvent } from './traffic-event.ts';
import { DEMO, DEMO_SITE } from './website.ts';

/** Events a day, twice as many as in the history, so that most of the time a visitor is online. */
const EVENTS_A_DAY = 1_500;
const LOOK_EVERY_MS = MINUTE_MS;
/** Others stand still: a server with very many accounts has better things to do. */
const DEMOS_MAX = 20;
/** Maximum delay of an event: those that a sleeping machine missed are skipped. */
const LATE_MAX_MS = MINUTE_MS;

type Deps = {
  websites: Pick<Websites, 'findLike' | 'findTracked'>;
  write: (events: NewEvent[]) => Promise<Outcome[]>;
  now: () => number;
};

/** Upcoming events of a demo website, by time. */
type UpcomingEvents = { next: () => NewEvent | undefined };

/** Keeps demo websites alive: events are invented a day ahead, and written when their time has come. */
export function createLivingDemos({ websites, write, now }: Deps) {
  let sources = new Map<string, UpcomingEvents>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Writes what has happened since the last time. @throws what `write` throws */
  async function tick(): Promise<void> {
    const nowMs = now();
    if (nowMs - lookedAtMs >= LOOK_EVERY_MS) await look(nowMs);
    for (const { next } of sources.values()) {
      const due: NewEvent[] = [];
      for (let event = next(); event; event = next())
        if (event.createdAtMs > nowMs - LATE_MAX_MS) due.push(event);
      if (due.length > 0) await write(due);
    }
  }

  async function look(nowMs: number): Promise<void> {
    lookedAtMs = nowMs;
    const codes = await websites.findLike(DEMO, DEMOS_MAX);
    const found = await Promise.all(
      codes.map(async (code) => {
        const website = sources.has(code) ? undefined : await websites.findTracked(code);
        return [code, sources.get(code) ?? (website && createSource(website, now))] as const;
      }),
    );
    sources = new Map(found.flatMap(([code, source]) => (source ? [[code, source]] : [])));
  }

  return { tick };
}

function createSource(website: TrackedWebsite, now: () => number): UpcomingEvents {
  const invent = (startMs: number) =>
    generateTraffic({
      seed: mix(website.key, Math.floor(startMs / 1_000)),
      websites: [DEMO_SITE],
      days: 1,
      events: EVENTS_A_DAY,
      endMs: startMs + DAY_MS,
    });
  let endMs = now() + DAY_MS;
  let traffic = invent(now());
  let waiting = traffic.next();
  return {
    next() {
      if (waiting.done) {
        if (now() < endMs) return undefined;
        traffic = invent(now());
        endMs = now() + DAY_MS;
        waiting = traffic.next();
      }
      if (waiting.done || waiting.value.createdAtMs > now()) return undefined;
      const event = toNewEvent(waiting.value, website);
      waiting = traffic.next();
      return event;
    },
  };
}
