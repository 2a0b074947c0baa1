import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { DEMO_GOALS } from '../../src/demo/website.ts';
import { eventFor } from '../support/event.ts';
import { refusal } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

setDefaultTimeout(60_000); // 60,000 events, each on disk

let service: TestService;
let user: User;
beforeAll(async () => {
  service = await createTestService();
  user = await service.addUser();
});
afterAll(() => service.close());

function load(token = user.apiKey) {
  return service.send('POST', '/api/v1/demo', { token });
}

async function totalOf(trackingCode: string): Promise<number> {
  const path = `/api/v1/events?trackingCode=${trackingCode}&limit=1`;
  return (await service.send('GET', path, { token: user.apiKey })).body.pagination.total;
}

describe('POST /demo', () => {
  test('adds a website of its own with 90 days of events until now, and events of others come in between', async () => {
    const { trackingCode } = await service.addWebsite(user.apiKey);
    const loading = load();
    const body = eventFor(trackingCode);
    const order: string[] = [];
    const done = loading.then((answer) => {
      order.push('demo');
      return answer;
    });
    expect((await service.send('POST', '/api/v1/events', { body })).status).toBe(201);
    order.push('event');
    const answer = await done;
    expect(order).toEqual(['event', 'demo']);
    expect(answer.status).toBe(201);
    expect(answer.body.events).toBe(60_000);
    const goals = `/api/v1/websites/${answer.body.website.id}/stats/goals?period=90d`;
    const { body: reached } = await service.send('GET', goals, { token: user.apiKey });
    expect(reached.goals).toHaveLength(DEMO_GOALS.length);
    expect(reached.goals.every(({ converters }: { converters: number }) => converters > 0)).toBe(true);
    expect(reached.revenue.map(({ currency }: { currency: string }) => currency)).toEqual(['EUR', 'USD']);
    expect(answer.body.website).toMatchObject({ name: 'Demo', domain: 'https://demo.example' });
    expect(await totalOf(answer.body.website.trackingCode)).toBe(60_000);
  });

  test('answers 409 when it is there, and again 201 when it was deleted like any other website', async () => {
    expect(statusAndBody(await load())).toEqual(
      refusal(409, 'CONFLICT', 'This account has the demo website already'),
    );
    const { body } = await service.send('GET', '/api/v1/websites', { token: user.apiKey });
    const { id } = body.websites.find(({ name }: { name: string }) => name === 'Demo');
    const removed = await service.send('DELETE', `/api/v1/websites/${id}`, { token: user.apiKey });
    expect(removed.status).toBe(200);
    const early = await load();
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '60']);
    service.clock.advance(60_000);
    expect((await load()).status).toBe(201);
  });

  test('leaves nothing when it is deleted while it is loaded', async () => {
    const other = await service.addUser();
    const loading = load(other.apiKey);
    for (;;) {
      const { body } = await service.send('GET', '/api/v1/websites', { token: other.apiKey });
      const [demo] = body.websites;
      if (!demo) continue;
      await service.send('DELETE', `/api/v1/websites/${demo.id}`, { token: other.apiKey });
      break;
    }
    expect(statusAndBody(await loading)).toEqual(
      refusal(409, 'CONFLICT', 'The demo website was deleted while it was being loaded'),
    );
    const { body } = await service.send('GET', '/api/v1/websites', { token: other.apiKey });
    expect(body.websites).toEqual([]);
  });

  test('answers 503 while two others load theirs', async () => {
    const others = await Promise.all([1, 2, 3].map(() => service.addUser()));
    const answers = await Promise.all(others.map(({ apiKey }) => load(apiKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 503]);
    const refused = answers.findIndex(({ status }) => status === 503);
    expect(answers[refused]?.headers.get('retry-after')).toBe('5');
    const { body } = await service.send('GET', '/api/v1/websites', { token: others[refused]?.apiKey });
    expect(body.total).toBe(0);
  });
});
