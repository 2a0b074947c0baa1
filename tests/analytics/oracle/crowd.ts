import fc from 'fast-check';
import { type Question, question } from './questions.ts';
import type { Step } from './stage.ts';
import { UUID_VISITOR } from './texts.ts';
import { FIRST_DAY_MS, group } from './traffic.ts';

const DAY_MS = 86_400_000;
const GROUP_EVENTS = 1_000;
const QUESTIONS_BETWEEN = 2;

/**
 * Many events of two days, so that days are written and opened again while they grow, and lists pass their bounds. Too
 * many to shrink: what fails here is to be looked for with fewer.
 */
export function crowd(eventsMin: number, seed: number): Step[] {
  const questions = fc.sample(question, { seed, numRuns: 1_000 });
  const steps: Step[] = [march('v', 1_000, 1_100), march(UUID_VISITOR, 1_800_001, 110)];
  const sketches = manySketches(eventsMin, seed);
  for (let first = 0; first < sketches.length; first += GROUP_EVENTS) {
    steps.push({ do: 'store', events: sketches.slice(first, first + GROUP_EVENTS) });
    steps.push({ do: 'ask', questions: takeSome(questions, first / GROUP_EVENTS) });
  }
  const details: Question[] = ['v', UUID_VISITOR].flatMap((id): Question[] => [
    { ask: 'visitor', request: { websiteKey: 1, visitorId: id, limit: 1_000, offset: 50 } },
    { ask: 'exportVisitor', request: { websiteKey: 1, visitorId: id, limit: 500 } },
  ]);
  const session: Question = {
    ask: 'session',
    request: { websiteKey: 1, sessionId: 's', limit: 1_000, offset: 1_000 },
  };
  return [...steps, { do: 'ask', questions: [...details, session] }];
}

function march(visitorId: string, pauseMs: number, count: number): Step {
  return { do: 'march', visitorId, startMs: FIRST_DAY_MS, pauseMs, count };
}

function manySketches(eventsMin: number, seed: number) {
  const samples = fc.sample(group, { seed, numRuns: Math.ceil(eventsMin / 4) }).flat();
  return samples.slice(0, eventsMin).map(({ visitorId = 'v', ...given }, index) => ({
    ...given,
    visitorId: index % 50 === 0 ? visitorId : oneOfMany(visitorId, index % 700),
    // A prime step goes through the two days in no order; 3 of 4 are on the first.
    createdAtMs: FIRST_DAY_MS + ((index * 15_485_863) % (index % 4 === 0 ? 2 * DAY_MS : DAY_MS)),
  }));
}

/** Half of them text, half UUIDs. */
function oneOfMany(visitorId: string, index: number): string {
  if (index % 2 === 0) return `${visitorId}${index}`;
  return `${visitorId === 'v' ? '0' : '1'}0000000-0000-4000-8000-${index.toString().padStart(12, '0')}`;
}

function takeSome(questions: readonly Question[], turn: number): Question[] {
  return Array.from(
    { length: QUESTIONS_BETWEEN },
    (_, index) => questions[(turn * QUESTIONS_BETWEEN + index) % questions.length],
  ).filter((taken) => taken !== undefined);
}
