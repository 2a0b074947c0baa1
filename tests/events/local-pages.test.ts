import { beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { invalid } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
});

type Added = { id: string; trackingCode: string };
let added = 0;
/** Adds a website of a domain that no other test has. */
function addWebsite(host = 'example.com'): Promise<Added> {
  added += 1;
  return service.addWebsite(token, `https://${host}/${added}`);
}

const submit = ({ trackingCode }: Added, url: string) =>
  service.send('POST', '/api/v1/events', {
    body: eventFor(trackingCode, { url }),
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  });

async function count({ id }: Added, traffic: string): Promise<number> {
  const { status, body } = await service.send(
    'GET',
    `/api/v1/websites/${id}/stats?period=today&traffic=${traffic}`,
    { token },
  );
  expect(status).toBe(200);
  return (body as { events: number }).events;
}

const change = ({ id }: Added, body: unknown) =>
  service.send('PATCH', `/api/v1/websites/${id}/settings`, { token, body });

describe('events of pages on local hosts', () => {
  test.each([
    'http://localhost:5173/',
    'http://LOCALHOST/',
    'http://shop.localhost/',
    'http://127.0.0.1/',
    'http://127.1/', // another spelling
    'http://0.0.0.0:8000/',
    'http://[::1]:3000/',
    'http://[fd00::1]/',
    'http://[::ffff:192.168.0.1]/',
    'http://10.0.0.5/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.20:8080/path?q=1',
    'http://169.254.1.1/',
    'http://printer.local/',
    'https://shop.test/',
    'https://shop.test./',
    'https://ada@localhost/',
    'https://wiki.internal/',
    'https://nas.home.arpa/',
  ])('are stored, and left out of the metrics: %s', async (url) => {
    const website = await addWebsite();
    expect((await submit(website, url)).status).toBe(201);
    expect([await count(website, 'people'), await count(website, 'all')]).toEqual([0, 1]);
  });

  test.each([
    'https://example.com/',
    'https://localhost.example.com/',
    'https://mylocalhost/',
    'https://contest/',
    'https://example.com/?from=http://localhost/',
    'https://localhost@example.com/',
    'https://9.9.9.9/',
    'https://172.32.0.1/',
    'https://[2606:4700::1111]/',
  ])('do not include %s, which counts', async (url) => {
    const website = await addWebsite();
    await submit(website, url);
    expect(await count(website, 'people')).toBe(1);
  });

  test.each(['localhost', '192.168.1.20', 'shop.test'])(
    'count for a website whose own domain is local: %s',
    async (host) => {
      const website = await addWebsite(host);
      await submit(website, 'http://127.0.0.1:5173/');
      expect(await count(website, 'people')).toBe(1);
    },
  );

  test('count from the change of the setting on, and those before it stay left out', async () => {
    const website = await addWebsite();
    await submit(website, 'http://localhost/before');
    expect((await change(website, { leavesOutLocalPages: false })).status).toBe(200);
    await submit(website, 'http://localhost/after');
    expect([await count(website, 'people'), await count(website, 'all')]).toEqual([1, 2]);
  });

  test('are left out once a local domain becomes a public one', async () => {
    const website = await addWebsite('localhost');
    await submit(website, 'http://localhost/');
    const domain = 'https://live.example.com';
    await service.send('PUT', `/api/v1/websites/${website.id}`, { token, body: { domain } });
    await submit(website, 'http://localhost/');
    expect([await count(website, 'people'), await count(website, 'all')]).toEqual([1, 2]);
  });
});

test.each(['yes', 1, null])('refuses %j as leavesOutLocalPages, and names the field', async (value) => {
  const website = await addWebsite();
  expect(statusAndBody(await change(website, { leavesOutLocalPages: value }))).toEqual(
    invalid({ leavesOutLocalPages: [expect.any(String) as unknown as string] }),
  );
});
