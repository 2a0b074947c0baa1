import fc from 'fast-check';
import { type Dimension, VISIT_GAP_MS } from '../../../src/vocabulary/analytics.ts';
import type { Limits } from './log.ts';
import type { Bounds } from './names.ts';
import { type Question, question } from './questions.ts';
import { DAY_MS } from './raw-event.ts';
import { EVERYTHING, selection, websiteKey } from './selections.ts';
import type { Step } from './stage.ts';
import { UUID_VISITOR, VISITORS } from './texts.ts';
import { FIRST_DAY_MS, group, instant } from './traffic.ts';

/** Random things to happen, and random questions in between and at the end. */

const store: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('store'),
  events: group,
});
const restart: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restart'), isClean: fc.boolean() });
const asked = fc.record({
  do: fc.constant('ask'),
  questions: fc.array(question, { minLength: 1, maxLength: 3 }),
});

const flood: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('flood'),
  createdAtMs: fc.constantFrom(0, 0, 86_399_999, 86_400_000).map((afterMs) => FIRST_DAY_MS + afterMs),
  visitorId: fc.constantFrom('v', 'v', UUID_VISITOR),
  firstKey: fc.constantFrom(0, 400, 700, 900),
  value: fc.constantFrom('1', '1', '1', 'null', '"a"'),
});
const floodQuestion = fc.oneof(
  fc.constant<Question>({
    ask: 'propertyKeys',
    request: { websiteKey: 1, ...EVERYTHING, limit: 1_000, offset: 990 },
  }),
  fc.constantFrom(0, 399, 400, 999, 1_000, 1_099, 1_100, 1_299).map(
    (number): Question => ({
      ask: 'propertyValues',
      request: { websiteKey: 1, ...EVERYTHING, key: `k${number}`, limit: 10, offset: 0 },
    }),
  ),
);

const march: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('march'),
  visitorId: fc.constantFrom('v', UUID_VISITOR),
  startMs: instant,
  pauseMs: fc.constantFrom(VISIT_GAP_MS, VISIT_GAP_MS, VISIT_GAP_MS + 1, 0),
  // The last one takes more than thirty days.
  count: fc.constantFrom(2, 2, 50, 50, 100, 100, 1_500),
});

const erase: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('erase'),
  websiteKey,
  visitorId: fc.constantFrom(...VISITORS, 'absent'),
});
const eraseSelected: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('erase selected'),
  request: fc
    .tuple(selection, fc.constantFrom(1_000_000, 1_000_000, 3))
    .map(([selected, eventsMax]) => ({ ...selected, eventsMax })),
});
const erasePart: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('erase selected'),
  request: fc
    .record({
      dimension: fc.constantFrom<Dimension[]>('page', 'page', 'event', 'eventType', 'hostname'),
      values: fc.constantFrom(['/'], ['/a'], ['a'], ['pageview'], ['custom', 'click'], ['www.a.example']),
      operator: fc.constantFrom('is', 'contains', 'contains_not'),
    })
    .map((filter) => ({
      websiteKey: 1,
      ...EVERYTHING,
      traffic: 'all' as const,
      filter: { op: 'match' as const, ...filter },
      eventsMax: 1_000_000,
    })),
});
/** Mostly by age, as retention does; else all of a website. */
const remove: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remove'),
      websiteKey,
      beforeDay: fc.constantFrom(0, 1, 1, 2, -1).map((days) => FIRST_DAY_MS / DAY_MS + days),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), websiteKey }) },
);

/** An export is asked for page by page, so something may happen in between. */
const singleQuestion = question.filter(({ ask }) => ask !== 'exportVisitor');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: store },
  { weight: 4, arbitrary: asked },
  { weight: 1, arbitrary: march },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('store while rebuilding'), events: group }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('store while erasing'),
      events: group,
      visitorId: fc.constantFrom(...VISITORS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('ask while storing'), events: group, question: singleQuestion }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('ask while erasing'),
      visitorId: fc.constantFrom(...VISITORS),
      question: singleQuestion,
    }),
  },
  { weight: 3, arbitrary: restart },
  { weight: 1, arbitrary: erase },
  { weight: 2, arbitrary: eraseSelected },
  { weight: 2, arbitrary: remove },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rebuild') }),
  },
);

/** Options of the engine. */
export type Sizes = Limits & {
  cacheBytesMax: number;
  /** Most events of a segment. */
  segmentEventsMax?: number;
};
const sizes: fc.Arbitrary<Sizes> = fc.record(
  {
    /** All fits, nothing does, and some segments do. */
    cacheBytesMax: fc.constantFrom(2 ** 26, 0, 8_000, 20_000),
    segmentEventsMax: fc.constantFrom(20, 1, 2, 5),
    visitEventsMax: fc.constantFrom(20, 1, 2, 3),
  },
  { requiredKeys: ['cacheBytesMax'] },
);
const bounds: fc.Arbitrary<Bounds> = fc.record({
  pages: fc.integer({ min: 1, max: 6 }),
  hosts: fc.integer({ min: 1, max: 3 }),
  values: fc.integer({ min: 1, max: 4 }),
});
const questions = fc.array(question, { minLength: 1, maxLength: 40, size: 'max' });

export type Script = { sizes: Sizes; steps: readonly Step[]; questions: readonly Question[] };

export const script: fc.Arbitrary<Script> = fc.record({
  sizes,
  steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
  questions,
});

/** Traffic that parts are taken out of, of visits too. */
export const erasedScript: fc.Arbitrary<Script> = fc.record({
  sizes,
  steps: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: store },
      { weight: 3, arbitrary: erasePart },
      { weight: 1, arbitrary: march },
      { weight: 2, arbitrary: step },
    ),
    { minLength: 2, maxLength: 10, size: 'max' },
  ),
  questions,
});

/** Two days with more keys than are kept, the same ones in part, in any order; and questions about single keys. */
export const floodedScript: fc.Arbitrary<Script> = fc.record({
  sizes,
  steps: fc.array(fc.oneof({ weight: 12, arbitrary: flood }, store, restart, erase, eraseSelected, remove), {
    minLength: 1,
    maxLength: 20,
    size: 'max',
  }),
  questions: fc.array(floodQuestion, { minLength: 1, maxLength: 8, size: 'max' }),
});

/** Days with more different texts than keep their names. */
export const boundedScript: fc.Arbitrary<Script> = fc.record({
  sizes: fc.tuple(sizes, bounds).map(([chosen, tiny]) => ({ ...chosen, bounds: tiny })),
  steps: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: store },
      { weight: 4, arbitrary: asked },
      { weight: 1, arbitrary: march },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('store while rebuilding'), events: group }) },
      restart,
      erase,
      eraseSelected,
      erasePart,
      remove,
    ),
    { minLength: 1, maxLength: 10, size: 'max' },
  ),
  questions,
});

/** Only traffic, in groups. */
export const groups: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: store }, { weight: 1, arbitrary: march }),
  { minLength: 1, maxLength: 4, size: 'max' },
);

/** A range, and cuts in it from its begin to its end. */
export const cutSelection = fc
  .tuple(selection, fc.array(instant, { maxLength: 6 }))
  .map(([selected, cuts]) => {
    const { fromMs, toMs } = selected;
    const inside = cuts.filter((atMs) => atMs > fromMs && atMs < toMs).sort((a, b) => a - b);
    return { selected, bounds: [...new Set([fromMs, ...inside, toMs])] };
  });
