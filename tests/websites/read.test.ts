import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TEST_START_MS } from '../support/clock.ts';
import { NO_WEBSITE } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let bob: User;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  service.clock.set(TEST_START_MS);
  ada = await service.addUser();
  bob = await service.addUser();
});
afterAll(() => service.close());

const get = async (path: string, user: User) =>
  statusAndBody(await service.send('GET', path, { token: user.apiKey }));

describe('GET /websites', () => {
  test('answers an empty list to a new account', async () => {
    expect(await get('/api/v1/websites', ada)).toEqual({ status: 200, body: { websites: [], total: 0 } });
  });

  test('lists the websites of the account alone, in order of creation', async () => {
    const zebra = await service.websites.create(ada.id, { name: 'zebra', domain: 'https://z.example' });
    await service.websites.create(bob.id, { name: 'other', domain: 'https://z.example' });
    const apple = await service.websites.create(ada.id, { name: 'apple', domain: 'https://a.example' });
    service.clock.advance(-60_000); // a clock that goes back does not change the order
    const early = await service.websites.create(ada.id, { name: 'early', domain: 'https://b.example' });
    expect(await get('/api/v1/websites', ada)).toEqual({
      status: 200,
      body: { websites: [zebra, apple, early], total: 3 },
    });
  });

  test('leaves deleted websites out', async () => {
    const gone = await service.websites.create(ada.id, { name: 'gone', domain: 'https://a.example' });
    const kept = await service.websites.create(ada.id, { name: 'kept', domain: 'https://b.example' });
    await service.websites.remove(ada.id, gone.id);
    expect((await get('/api/v1/websites', ada)).body).toEqual({ websites: [kept], total: 1 });
  });
});

describe('GET /websites/:id', () => {
  test('answers the record', async () => {
    const website = await service.websites.create(ada.id, { name: 'n', domain: 'https://a.example' });
    expect(await get(`/api/v1/websites/${website.id}`, ada)).toEqual({ status: 200, body: website });
  });

  test('answers 404 once it is deleted', async () => {
    const { id } = await service.websites.create(ada.id, { name: 'n', domain: 'https://a.example' });
    await service.websites.remove(ada.id, id);
    expect(await get(`/api/v1/websites/${id}`, ada)).toEqual(NO_WEBSITE);
  });
});
