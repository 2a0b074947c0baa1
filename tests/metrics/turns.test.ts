import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Query } from '../../src/analytics/interface/query.ts';
import {
  type Asker,
  accountLine,
  createQuestionTurns,
  strangersLine,
} from '../../src/metrics/question/turns.ts';
import { readDescribedRoutes, requestFor, sendDescribed } from '../support/described-routes.ts';
import { isOnServer } from '../support/test-database.ts';
import { type MetricsService, startMetrics } from './support.ts';

/** Questions of requests take turns in front of the engine. */

let service: MetricsService;
let bob: string;
beforeAll(async () => {
  service = await startMetrics();
  bob = (await service.signUp()).token;
  await service.changeSettings({ isPublic: true });
});
afterAll(() => service.close());

/** Everything that needs no time has happened: questions to a server do. */
async function passed(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(0);
}

/** Answers no question until it is let go, and says what was asked meanwhile. */
function holdEngine() {
  const { analytics } = service;
  const { query } = analytics;
  const asked: Query[] = [];
  const held = Promise.withResolvers<void>();
  analytics.query = async (request) => {
    asked.push(request);
    await held.promise;
    return query(request);
  };
  return {
    asked,
    async letGo(): Promise<void> {
      analytics.query = query;
      held.resolve();
      await passed();
    },
  };
}

const refusal = {
  error: 'SERVICE_UNAVAILABLE',
  message: 'Too many questions are waiting for an answer; try again in a moment',
};

describe.skipIf(isOnServer)('questions of requests', () => {
  test('reach the engine two at a time, those of a neighbour before the rest of another account’s', async () => {
    const engine = holdEngine();
    const own = [1, 2, 3].map((day) => service.ask(`/stats?compare=previous&from=2026-11-0${day}`));
    await passed();
    expect(engine.asked).toHaveLength(2);
    const other = await service.addWebsite(bob, 'https://bob.example');
    const answers: string[] = [];
    const neighbour = service
      .send('GET', `/api/v1/websites/${other.id}/stats`, { token: bob })
      .then(({ status }) => answers.push(`bob ${status}`));
    for (const one of own) void one.then(({ status }) => answers.push(`ada ${status}`));
    await passed();
    await engine.letGo();
    await Promise.all([neighbour, ...own]);
    expect(answers).toEqual(['ada 200', 'bob 200', 'ada 200', 'ada 200']);
  });

  test('are answered four of an account and four of all strangers of an owner at a time, and 32 of all', async () => {
    const turns = createQuestionTurns(service.analytics);
    const { signal } = new AbortController();
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    const ask = (asker: Asker) =>
      turns(asker, { signal })(async () => {
        begun.push(asker.line);
        await held.promise;
      });
    const lines = [accountLine('ada'), strangersLine('ada', '192.0.2.1')];
    const first = lines.flatMap((line) => Array.from({ length: 6 }, () => ask(line)));
    await passed();
    expect(
      Object.fromEntries(lines.map(({ line }) => [line, begun.filter((one) => one === line).length])),
    ).toEqual({
      'account ada': 4,
      'strangers ada': 4,
    });
    const more = Array.from({ length: 50 }, (_, index) => ask(accountLine(`person ${index}`)));
    await passed();
    expect(begun).toHaveLength(32);
    held.resolve();
    await Promise.all([...first, ...more]);
    expect(begun).toHaveLength(62);
  });

  test('of strangers are one share for all public websites of an owner, whatever their addresses', async () => {
    const turns = createQuestionTurns(service.analytics);
    const { signal } = new AbortController();
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    const ask = (asker: Asker) =>
      turns(asker, { signal })(async () => {
        begun.push(asker.within ?? '');
        await held.promise;
      });
    const strangers = Array.from({ length: 160 }, (_, index) =>
      ask(strangersLine('ada', `192.0.2.${index % 8}`)).catch(({ code }) => code),
    );
    await passed();
    expect(begun).toHaveLength(4);
    const neighbour = ask(accountLine('bob'));
    await passed();
    expect(begun).toHaveLength(5);
    held.resolve();
    await neighbour;
    const refusals = (await Promise.all(strangers)).filter((code) => code === 'SERVICE_UNAVAILABLE');
    expect(refusals).toHaveLength(56);
  });

  test('of strangers that are equal reach the engine once', async () => {
    const engine = holdEngine();
    const ask = (query: string) => service.send('GET', `${service.base}/stats?${query}`);
    const equal = ['period=7d', 'period=7d', 'period=7d', 'period=28d'].map(ask);
    await passed();
    expect(engine.asked).toHaveLength(2);
    await engine.letGo();
    const answers = await Promise.all(equal);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  test('of strangers are asked again when the one who asked first was refused', async () => {
    const ask = () => service.send('GET', `${service.base}/stats?period=90d`);
    const { query } = service.analytics;
    service.analytics.query = () => Promise.reject(new Error('broken'));
    expect((await ask()).status).toBe(500);
    service.analytics.query = query;
    expect((await ask()).status).toBe(200);
  });

  test('are not asked when their asker has gone', async () => {
    const engine = holdEngine();
    const staying = service.ask('/stats?period=7d');
    const gone = new AbortController();
    const { signal } = gone;
    const headers = { Authorization: `Bearer ${service.ada.token}` };
    const leaving = Array.from({ length: 30 }, () =>
      service.app.handle(new Request(`http://localhost${service.base}/stats`, { headers, signal })),
    );
    await passed();
    gone.abort();
    const last = service.ask('/stats?period=28d');
    await passed();
    await engine.letGo();
    const statuses = (await Promise.all(leaving)).map(({ status }) => status);
    // One was at work already.
    expect(statuses.toSorted()).toEqual([200, ...Array(29).fill(400)]);
    expect([(await staying).status, (await last).status]).toEqual([200, 200]);
    expect(engine.asked).toHaveLength(2);
  });

  test('questions continue while forty accounts erase: eight erasures run, the others are asked to retry', async () => {
    const held = Promise.withResolvers<void>();
    const eraseVisitor = () => held.promise.then(() => ({ eventsRemoved: 1 }));
    const turns = createQuestionTurns({ ...service.analytics, eraseVisitor });
    const { signal } = new AbortController();
    const erasures = Array.from({ length: 40 }, (_, index) =>
      turns(accountLine(`person ${index}`), { signal })((analytics) =>
        analytics.eraseVisitor({ websiteKey: 1, visitorId: 'anna' }),
      ).then(
        () => 'erased',
        ({ code }) => code,
      ),
    );
    let isAnswered = false;
    const question = turns(accountLine('ada'), { signal })(async () => {
      isAnswered = true;
    });
    await passed();
    expect(isAnswered).toBe(true);
    held.resolve();
    await question;
    const outcomes = Object.groupBy(await Promise.all(erasures), (outcome) => outcome);
    expect([outcomes.erased?.length, outcomes.SERVICE_UNAVAILABLE?.length]).toEqual([8, 32]);
  });
});

describe.skipIf(isOnServer)('when a hundred wait', () => {
  /** They ask the engine nothing. */
  const WITHOUT: Record<string, number> = {
    getWebsiteProfile: 200,
    listSegmentNames: 200,
    listDimensions: 200,
    unlockShareLink: 401, // the link of the example is unknown
  };

  let engine: ReturnType<typeof holdEngine>;
  let waiting: Promise<{ status: number }>[];
  beforeAll(async () => {
    await service.send('POST', `${service.base}/goals`, {
      token: service.ada.token,
      body: { name: 'Purchase', type: 'event', match: 'purchase' }, // of the routes' examples
    });
    engine = holdEngine();
    waiting = Array.from({ length: 104 }, () => service.ask('/stats'));
    await passed();
  });
  afterAll(async () => {
    await engine.letGo();
    await Promise.all(waiting);
  });

  test('the next one is a 503 that says when to come back', async () => {
    const { status, headers, body } = await service.ask('/stats');
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
      status: 503,
      body: refusal,
      retryAfter: '5',
    });
  });

  test('so is it on every route that asks the engine', async () => {
    const routes = (await readDescribedRoutes(service)).filter(({ operation }) =>
      operation.tags.includes('Metrics'),
    );
    expect(routes.length).toBeGreaterThan(25);
    const asked = { ...service.website, domain: 'https://example.com' };
    for (const route of routes) {
      const { operationId: name } = route.operation;
      const { status } = await sendDescribed(service, requestFor(route, asked), { token: service.ada.token });
      expect({ name, status }).toEqual({ name, status: WITHOUT[name] ?? 503 });
    }
  });

  test('another visitor still has a place', async () => {
    const stranger = service.send('GET', `${service.base}/stats`);
    await passed();
    await engine.letGo();
    expect((await stranger).status).toBe(200);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});
