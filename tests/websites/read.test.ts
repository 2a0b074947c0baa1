import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Api, NOT_FOUND, startApi, statusAndBody, type User } from './api.ts';

let api: Api;
let ada: User;
let bob: User;

beforeEach(async () => {
  api = await startApi();
  ada = await api.addUser();
  bob = await api.addUser();
});
afterEach(() => api.close());

const get = async (path: string, user?: User) => statusAndBody(await api.send('GET', path, user));

describe('GET /websites', () => {
  test('answers an empty list to a new account', async () => {
    expect(await get('/websites', ada)).toEqual({ status: 200, body: { websites: [], total: 0 } });
  });

  test('lists the websites of the account alone, in order of creation', async () => {
    const zebra = await api.websites.create(ada.id, { name: 'zebra', domain: 'https://z.example' });
    await api.websites.create(bob.id, { name: 'other', domain: 'https://z.example' });
    const apple = await api.websites.create(ada.id, { name: 'apple', domain: 'https://a.example' });
    api.clock.advance(-60_000); // a clock that goes back does not change the order
    const early = await api.websites.create(ada.id, { name: 'early', domain: 'https://b.example' });
    expect(await get('/websites', ada)).toEqual({
      status: 200,
      body: { websites: [zebra, apple, early], total: 3 },
    });
  });

  test('leaves deleted websites out', async () => {
    const gone = await api.websites.create(ada.id, { name: 'gone', domain: 'https://a.example' });
    const kept = await api.websites.create(ada.id, { name: 'kept', domain: 'https://b.example' });
    await api.websites.remove(ada.id, gone.id);
    expect((await get('/websites', ada)).body).toEqual({ websites: [kept], total: 1 });
  });
});

describe('GET /websites/:id', () => {
  test('answers the record', async () => {
    const website = await api.websites.create(ada.id, { name: 'n', domain: 'https://a.example' });
    expect(await get(`/websites/${website.id}`, ada)).toEqual({ status: 200, body: website });
  });

  test('answers 404 once it is deleted', async () => {
    const { id } = await api.websites.create(ada.id, { name: 'n', domain: 'https://a.example' });
    await api.websites.remove(ada.id, id);
    expect(await get(`/websites/${id}`, ada)).toEqual(NOT_FOUND);
  });
});
