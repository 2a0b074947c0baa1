import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { websites } from '../../src/db/schema.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { DIMENSIONS } from '../../src/vocabulary/analytics.ts';
import { EVENT_FLAGS } from '../../src/vocabulary/contract.ts';
import { type Importing, startImporting } from '../imports/importing.ts';
import { exportFrom } from './exporting.ts';

setDefaultTimeout(120_000);

let from: Importing;
let to: Importing;
beforeAll(async () => {
  [from, to] = [await startImporting(), await startImporting()];
});
afterAll(async () => {
  await Promise.all([from.close(), to.close()]);
});

const END_MS = Date.UTC(2026, 10, 20, 12); // noon of the clock
const DAYS_MS = 20 * 86_400_000;
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
/** Texts that spreadsheets, CSV and JSON have their own ideas about. */
const hostileText = fc
  .oneof(
    fc.constantFrom(
      '=1+1',
      "'=1+1",
      "''@x",
      '-5',
      'true',
      'null',
      ' a ',
      'a,b;"c"',
      '\u2028',
      'é😀',
      '0',
      '＝x',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .filter((text) => !/\p{Cc}/u.test(text));
const properties = fc
  .dictionary(
    hostileText,
    fc.oneof(hostileText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    { maxKeys: 3 },
  )
  .map((own) => JSON.stringify({ name: 'signup', ...own, revenue: 12.5, currency: 'EUR' }));

const event: fc.Arbitrary<Omit<NewEvent, 'website'>> = fc
  .record({
    id: fc.uuid(),
    createdAtMs: fc.integer({ min: END_MS - DAYS_MS, max: END_MS }),
    eventType: fc.constantFrom('pageview', 'pageview', 'click', 'custom'),
    url: fc
      .constantFrom('/', '/a', '/a?utm_source=news&utm_campaign=%C3%A9', '/b?x=1', '/#/route')
      .map((path) => `https://example.com${path}`),
    referrer: orNull(
      fc.constantFrom('https://www.google.com/', 'https://news.example/a?b', 'android-app://com.example'),
    ),
    sessionId: fc.oneof(hostileText, fc.uuid()),
    visitorId: fc.oneof(fc.constantFrom('=v', 'b2d94e57', "'-v", 'true'), fc.uuid()),
    deviceType: orNull(fc.constantFrom('desktop', 'mobile', 'tablet')),
    browser: orNull(fc.constantFrom('Firefox', '+Chrome')),
    os: orNull(fc.constantFrom('Windows', 'iOS')),
    location: orNull(fc.constantFrom('DE', 'FR')),
    language: orNull(fc.constantFrom('en-GB', 'de')),
    screen: orNull(fc.constantFrom('1920x1080', '360x640')),
    browserVersion: orNull(fc.constantFrom('130', '17.1')),
    osVersion: orNull(fc.constantFrom('11', '=1')),
    bot: orNull(fc.constantFrom('Googlebot', '-bot')),
    region: orNull(fc.constantFrom('DE-BY', 'FR-IDF')),
    city: orNull(fc.constantFrom('Munich, DE-BY', 'Paris, FR-IDF, 2988507')),
    properties: orNull(properties),
    engagedSeconds: orNull(fc.integer({ min: 0, max: 43_200 })),
    scrollDepth: orNull(fc.integer({ min: 0, max: 100 })),
    flags: fc
      .subarray([0, EVENT_FLAGS.excluded, EVENT_FLAGS.anonymous])
      .map((bits) => bits.reduce((sum, bit) => sum | bit, 0)),
  })
  .map((made) =>
    made.eventType === 'pageview' ? made : { ...made, engagedSeconds: null, scrollDepth: null },
  );
const history = fc
  .uniqueArray(event, { selector: ({ id }) => id, minLength: 1, maxLength: 60 })
  .map((events) =>
    // As the service would: the name of a bot comes with its flag, a route with its own.
    events.map((one) => ({
      ...one,
      flags:
        one.flags |
        (one.bot === null ? 0 : EVENT_FLAGS.bot) |
        (one.url.includes('#') ? EVENT_FLAGS.route : 0),
    })),
  );

const QUESTIONS = [
  ...['people', 'bots', 'all'].flatMap((traffic) => [
    `stats?period=30d&traffic=${traffic}`,
    `stats/timeseries?period=30d&interval=day&traffic=${traffic}`,
    `pages?period=30d&traffic=${traffic}`,
    `sessions?period=30d&limit=100&traffic=${traffic}`,
    `visitors?period=30d&limit=100&traffic=${traffic}`,
  ]),
  ...DIMENSIONS.map((dimension) => `stats/breakdown?period=30d&traffic=all&dimension=${dimension}`),
  'stats/retention?period=30d&interval=week',
  'stats/properties?period=30d',
  'stats/events?period=30d',
  'stats/properties/name?period=30d',
];

async function askAll({ website, get, db }: Importing) {
  const [row] = await db.select({ hasAnonymous: websites.hasAnonymous }).from(websites);
  const answers: unknown[] = [row];
  for (const question of QUESTIONS) {
    const answer = await get(`/websites/${website.id}/${question}`);
    // Visitors that are counted by day have no retention, and a refusal that says so.
    if (answer.error && !question.includes('retention'))
      throw new Error(`${question}: ${JSON.stringify(answer)}`);
    answers.push([question, answer]);
  }
  for (const { visitorId } of (await get(`/websites/${website.id}/visitors?period=30d&traffic=all&limit=100`))
    .visitors) {
    const { exportedAt: _, ...file } = await get(
      `/websites/${website.id}/visitors/${encodeURIComponent(visitorId)}/export`,
    );
    answers.push(file);
  }
  return answers;
}

for (const name of ['all.ndjson', 'all.ndjson.gz', 'all.csv', 'all.csv.zst', 'all.parquet'])
  test(`${name}, imported into an empty website, answers every question as its origin does`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        await from.db
          .update(websites)
          .set({ hasAnonymous: events.some(({ flags }) => flags & EVENT_FLAGS.anonymous) });
        await to.db.update(websites).set({ hasAnonymous: false });
        const key = (await from.db.select({ key: websites.key }).from(websites))[0]?.key ?? 0;
        await from.storage.log.append(events.map((one) => ({ ...one, website: { key } })));
        from.storage.analytics.wake();
        const file = await exportFrom(from, name);
        const { import: record, ...result } = await to.run({ [name]: file.bytes });
        try {
          expect(file.events).toBe(events.length);
          expect(result).toMatchObject({ added: events.length, rejectedRows: [] });
          expect(await askAll(to)).toEqual(await askAll(from));
        } finally {
          await to.importer.undo(record.key);
          const everything = { websiteKey: key, fromMs: -8e15, toMs: 8e15, traffic: 'all' } as const;
          await from.storage.analytics.eraseSelected({ ...everything, eventsMax: 1e6 });
        }
      }),
      { numRuns: 5 },
    );
  });
