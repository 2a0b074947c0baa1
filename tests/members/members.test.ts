import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  createTestService,
  PASSWORD,
  type Person,
  statusAndBody,
  type TestService,
} from '../support/service.ts';

const DAY_MS = 86_400_000;
const USED = {
  status: 404,
  body: { error: 'NOT_FOUND', message: 'Invitation not found: it was used or revoked, or never existed' },
};

type Entry = { actor: string; action: string; subject: string; details: Record<string, unknown> };

let service: TestService;
let ada: Person;
let bob: Person;
let site: { id: string; trackingCode: string };
beforeEach(async () => {
  service = await createTestService();
  ada = await service.signUp();
  bob = await service.signUp();
  site = await service.addWebsite(ada.token);
});
afterEach(() => service.close());

const call = (method: string, path: string, person: { token: string } | undefined, body?: unknown) =>
  service.send(method, `/api/v1${path}`, { token: person?.token, ...(body !== undefined && { body }) });
const membersOf = (person: Person) => `/accounts/${person.id}/members`;

async function invite(input: object, by = ada, account = ada) {
  const { status, body } = await call('POST', membersOf(account), by, input);
  expect({ status, message: body.message }).toEqual({ status: 201, message: undefined });
  return { id: body.member.id as string, token: body.token as string };
}

const accept = (token: string, person: Person) => call('POST', '/invitations/accept', person, { token });

async function join(person: Person, input: object) {
  const { id, token } = await invite(input);
  expect((await accept(token, person)).status).toBe(200);
  return id;
}

const see = (person: Person, path = '') => call('GET', `/websites/${site.id}${path}`, person);

describe('an invitation', () => {
  test('says what it is for, and gives its role once', async () => {
    const { token } = await invite({ role: 'editor', note: 'Our agency' });
    expect(statusAndBody(await call('POST', '/invitations/preview', undefined, { token }))).toEqual({
      status: 200,
      body: {
        account: { name: null, email: ada.email },
        role: 'editor',
        websites: ['Example'],
        websiteTotal: 1,
        hides: [],
        isBound: false,
        expiresAt: new Date(service.clock.now() + 7 * DAY_MS).toISOString(),
      },
    });
    expect((await see(bob)).status).toBe(404);
    expect(statusAndBody(await accept(token, bob))).toEqual({
      status: 200,
      body: { accountId: ada.id, role: 'editor' },
    });
    expect((await see(bob)).body.role).toBe('editor');
    expect(statusAndBody(await accept(token, await service.signUp()))).toEqual(USED);
    expect(statusAndBody(await call('POST', '/invitations/preview', undefined, { token }))).toEqual(USED);
  });

  test('is stored without its token', async () => {
    const { token } = await invite({ role: 'viewer' });
    expect(JSON.stringify(await service.db.all('select * from members'))).not.toContain(token);
    expect((await call('GET', membersOf(ada), ada)).text).not.toContain(token);
  });

  test('expires after seven days', async () => {
    const { token } = await invite({ role: 'viewer' });
    service.clock.advance(7 * DAY_MS - 1);
    expect((await call('POST', '/invitations/preview', undefined, { token })).status).toBe(200);
    service.clock.advance(1);
    const again = await service.logIn(bob.email);
    expect(statusAndBody(await accept(token, again))).toEqual({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'This invitation has expired; ask for another one' },
    });
  });

  test('is refused once it is revoked', async () => {
    const { id, token } = await invite({ role: 'viewer' });
    expect((await call('DELETE', `${membersOf(ada)}/${id}`, ada)).status).toBe(200);
    expect(statusAndBody(await accept(token, bob))).toEqual(USED);
  });

  test('for an address is accepted by its account alone, whatever the case', async () => {
    const { token } = await invite({ role: 'viewer', email: bob.email.toUpperCase() });
    expect(statusAndBody(await accept(token, await service.signUp()))).toEqual({
      status: 403,
      body: { error: 'FORBIDDEN', message: 'This invitation is for another e-mail address' },
    });
    expect((await accept(token, bob)).status).toBe(200);
  });

  test('is a conflict for the owner and for a member, and stays open', async () => {
    const first = await invite({ role: 'viewer' });
    expect((await accept(first.token, ada)).status).toBe(409);
    expect((await accept(first.token, bob)).status).toBe(200);
    const second = await invite({ role: 'admin' });
    expect((await accept(second.token, bob)).body.message).toBe('You are a member of this account already');
    expect((await see(bob)).body.role).toBe('viewer');
    expect((await accept(second.token, await service.signUp())).status).toBe(200);
  });

  test('is accepted by one of two accounts at once', async () => {
    const { token } = await invite({ role: 'viewer' });
    const carol = await service.signUp();
    const statuses = (await Promise.all([accept(token, bob), accept(token, carol)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 404]);
  });

  test.each<[string, object, object]>([
    ['a role that is unknown', { role: 'boss' }, { role: expect.any(Array) }],
    [
      'a website of another account',
      { role: 'viewer', websiteIds: ['x'] },
      { websiteIds: ['Unknown website x'] },
    ],
    [
      'no website',
      { role: 'viewer', websiteIds: [] },
      { websiteIds: [expect.stringContaining('at least one')] },
    ],
    [
      'sections hidden from an editor',
      { role: 'editor', hides: ['revenue'] },
      { hides: [expect.any(String)] },
    ],
    [
      'a hand-over of everything',
      { role: 'owner' },
      { websiteIds: [expect.stringContaining('the one website')] },
    ],
    ['a note that is too long', { role: 'viewer', note: 'x'.repeat(101) }, { note: expect.any(Array) }],
  ])('is refused with %s', async (_, input, fieldErrors) => {
    const { status, body } = await call('POST', membersOf(ada), ada, input);
    expect({ status, fieldErrors: body.details.fieldErrors }).toEqual({ status: 400, fieldErrors });
  });

  test('creates an account where registration is closed, which joins at once', async () => {
    const closed = await createTestService({ registration: 'closed' });
    const owner = await closed.signUp();
    const { id } = await closed.addWebsite(owner.token);
    const register = (invitation?: string) =>
      closed.send('POST', '/api/v1/auth/register', {
        body: { email: 'grace@example.com', password: PASSWORD, ...(invitation && { invitation }) },
      });
    expect((await register()).status).toBe(403);
    expect((await register('unknown')).status).toBe(404);
    const { body } = await closed.send('POST', `/api/v1/accounts/${owner.id}/members`, {
      token: owner.token,
      body: { role: 'viewer', email: 'grace@example.com' },
    });
    const { status, body: registered } = await register(body.token);
    expect(status).toBe(201);
    const token = registered.tokens.accessToken;
    expect((await closed.send('GET', `/api/v1/websites/${id}`, { token })).body.role).toBe('viewer');
    expect((await closed.send('GET', '/api/v1/websites', { token })).body).toMatchObject({
      websites: [{ id, role: 'viewer' }],
      total: 1,
    });
    await closed.close();
  });
});

describe('a member', () => {
  test('of some websites sees these alone', async () => {
    const second = await service.addWebsite(ada.token, 'https://second.example');
    await join(bob, { role: 'admin', websiteIds: [second.id] });
    expect((await see(bob)).status).toBe(404);
    const { body } = await call('GET', '/websites', bob);
    expect(body.websites.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [second.id, 'admin'],
    ]);
    // An admin of some websites does not manage the account.
    expect((await call('GET', membersOf(ada), bob)).body.message).toBe(
      'This needs the role admin; yours is viewer',
    );
  });

  test('loses everything with the next request once removed, by token and by API key', async () => {
    const id = await join(bob, { role: 'admin' });
    for (const token of [bob.token, bob.apiKey])
      expect((await service.send('GET', `/api/v1/websites/${site.id}/stats`, { token })).status).toBe(200);
    expect((await call('DELETE', `${membersOf(ada)}/${id}`, ada)).status).toBe(200);
    for (const token of [bob.token, bob.apiKey])
      expect((await service.send('GET', `/api/v1/websites/${site.id}/stats`, { token })).status).toBe(404);
    expect((await call('GET', '/websites', bob)).body).toEqual({ websites: [], total: 0 });
  });

  test('whose role is lowered or who is removed gets no more of a running export', async () => {
    const events = Array.from({ length: 3_000 }, (_, index) => ({
      trackingCode: site.trackingCode,
      eventType: 'pageview',
      url: `https://example.com/${index}`,
      visitorId: 'visitor-1',
      sessionId: 'session-1',
    }));
    for (let from = 0; from < events.length; from += 1_000)
      await call('POST', '/events/batch', undefined, { events: events.slice(from, from + 1_000) });
    const path = `/websites/${site.id}/visitors/visitor-1/export?format=ndjson`;
    const id = await join(bob, { role: 'viewer' });
    const start = async () => {
      const request = new Request(`http://localhost/api/v1${path}`, {
        headers: { Authorization: `Bearer ${bob.token}` },
      });
      const reader = (await service.app.handle(request)).body?.getReader();
      await reader?.read();
      return async () => {
        while (!(await reader?.read())?.done);
      };
    };
    const first = await start();
    await first(); // whole
    const second = await start();
    await call('PATCH', `${membersOf(ada)}/${id}`, ada, { hides: ['revenue'] });
    await expect(second()).rejects.toThrow('hidden from you');
    await call('PATCH', `${membersOf(ada)}/${id}`, ada, { hides: [] });
    const third = await start();
    await call('DELETE', `${membersOf(ada)}/${id}`, ada);
    await expect(third()).rejects.toThrow('Website not found');
  });

  test('whose role is lowered or who is removed loses open live streams within two seconds', async () => {
    const id = await join(bob, { role: 'editor' });
    const open = async () => {
      const request = new Request(`http://localhost/api/v1/websites/${site.id}/stats/realtime/stream`, {
        headers: { Authorization: `Bearer ${bob.token}` },
      });
      const response = await service.app.handle(request);
      return response.text().then((text) => text.includes('event: end'));
    };
    const first = open();
    await call('PATCH', `${membersOf(ada)}/${id}`, ada, { role: 'viewer' });
    expect(await first).toBe(true);
    const second = open();
    await call('DELETE', `${membersOf(ada)}/${id}`, ada);
    expect(await second).toBe(true);
  });

  test('may do less with the next request once the role is lowered', async () => {
    const id = await join(bob, { role: 'editor' });
    const rename = () => call('PUT', `/websites/${site.id}`, bob, { name: 'Renamed' });
    expect((await rename()).status).toBe(200);
    const change = { role: 'viewer', hides: ['visitors'] };
    expect((await call('PATCH', `${membersOf(ada)}/${id}`, ada, change)).body).toMatchObject(change);
    expect((await rename()).body.message).toBe('This needs the role editor; yours is viewer');
    expect((await see(bob, '/sessions')).status).toBe(403);
  });

  test('from whom properties are hidden sees revenue and funnels that name none', async () => {
    await join(bob, { role: 'viewer', hides: ['properties'] });
    const steps = encodeURIComponent(
      JSON.stringify([
        ['is', 'eventType', ['pageview']],
        ['is', 'page', ['/']],
      ]),
    );
    expect((await see(bob, '/stats?revenue=true')).status).toBe(200);
    expect((await see(bob, `/stats/funnel?steps=${steps}`)).status).toBe(200);
    expect((await see(bob, `/stats/funnel?steps=${steps}&dimension=property:plan`)).status).toBe(403);
  });

  test('leaves, and the owner cannot', async () => {
    await join(bob, { role: 'viewer' });
    expect((await call('DELETE', `/accounts/${ada.id}/membership`, bob)).status).toBe(200);
    expect((await see(bob)).status).toBe(404);
    expect((await call('DELETE', `/accounts/${ada.id}/membership`, ada)).status).toBe(409);
  });

  test('with the role admin manages members, and does not hand websites over', async () => {
    await join(bob, { role: 'admin' });
    await invite({ role: 'viewer' }, bob);
    const { status, body } = await call('POST', membersOf(ada), bob, {
      role: 'owner',
      websiteIds: [site.id],
    });
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'This needs the role owner; yours is admin',
    });
  });

  test('with a smaller role, by API key, or of no account does not manage members', async () => {
    await join(bob, { role: 'editor' });
    expect((await call('GET', membersOf(ada), bob)).status).toBe(403);
    expect((await call('GET', membersOf(ada), { token: ada.apiKey })).status).toBe(403);
    expect((await call('GET', membersOf(ada), await service.signUp())).status).toBe(404);
    expect((await call('GET', membersOf(ada), undefined)).status).toBe(401);
  });

  test('stays a user when the account is deleted, and the account forgets a deleted user', async () => {
    await join(bob, { role: 'admin' });
    expect((await call('DELETE', '/auth/me', ada, { password: PASSWORD })).status).toBe(200);
    expect((await see(bob)).status).toBe(404);
    expect((await call('GET', '/accounts', bob)).body.total).toBe(1);
  });
});

describe('handing a website over', () => {
  test('moves it with its data when the other account accepts', async () => {
    const carol = await service.signUp();
    await join(carol, { role: 'viewer', websiteIds: [site.id] });
    const { token } = await invite({ role: 'owner', websiteIds: [site.id] });
    expect((await see(bob)).status).toBe(404);
    expect(statusAndBody(await accept(token, bob))).toEqual({
      status: 200,
      body: { accountId: bob.id, role: 'owner' },
    });
    expect((await see(bob)).body).toMatchObject({
      userId: bob.id,
      role: 'owner',
      trackingCode: site.trackingCode,
    });
    for (const former of [ada, carol]) expect((await see(former)).status).toBe(404);
    expect(statusAndBody(await accept(token, carol))).toEqual(USED);
  });

  test('is a conflict where the other account has the domain, and moves nothing', async () => {
    await service.addWebsite(bob.token);
    const { token } = await invite({ role: 'owner', websiteIds: [site.id] });
    expect((await accept(token, bob)).body.message).toBe(
      'Your account has a website with this domain already',
    );
    expect((await see(ada)).status).toBe(200);
  });
});

test('the audit log of an account has who did what, for its admins', async () => {
  const id = await join(bob, { role: 'viewer' });
  await call('PATCH', `${membersOf(ada)}/${id}`, ada, { role: 'editor' });
  await call('DELETE', `${membersOf(ada)}/${id}`, ada);
  const { body } = await call('GET', `/accounts/${ada.id}/audit-log`, ada);
  expect(
    body.entries.map(({ action, actor, subject }: Record<string, string>) => [action, actor, subject]),
  ).toEqual([
    ['member.removed', ada.email, bob.email],
    ['member.changed', ada.email, bob.email],
    ['member.joined', bob.email, bob.email],
    ['member.invited', ada.email, ''],
    ['website.created', ada.email, 'Example'],
  ]);
  expect(body.entries[1].details).toEqual({
    from: { role: 'viewer', websiteIds: null, hides: [] },
    to: { role: 'editor', websiteIds: null, hides: [] },
  });
  expect((await call('GET', `/accounts/${ada.id}/audit-log`, bob)).status).toBe(404);
  service.clock.advance(367 * DAY_MS);
  await service.members.removeOld();
  const later = await service.logIn(ada.email);
  expect((await call('GET', `/accounts/${ada.id}/audit-log`, later)).body).toEqual({ entries: [], total: 0 });
});

describe('the audit log', () => {
  test('can be filtered by action and text', async () => {
    await join(bob, { role: 'viewer', note: 'Agency' });
    const actions = async (query: string) =>
      (await call('GET', `/accounts/${ada.id}/audit-log?${query}`, ada)).body.entries.map(
        ({ action }: { action: string }) => action,
      );
    expect(await actions('action=member.joined')).toEqual(['member.joined']);
    expect(await actions('search=AGENCY')).toEqual(['member.invited']);
    expect(await actions('search=none')).toEqual([]);
    expect((await call('GET', `/accounts/${ada.id}/audit-log?action=nonsense`, ada)).status).toBe(400);
  });

  test('is a CSV file in which no text is a formula', async () => {
    await invite({ role: 'viewer', note: '=HYPERLINK("https://evil.example")' });
    const { text, headers } = await call('GET', `/accounts/${ada.id}/audit-log?format=csv`, ada);
    expect(headers.get('content-type')).toStartWith('text/csv');
    expect(text.split('\r\n')[1]).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
  });

  test('has changes of websites, share links and API keys, and erasures, with who made them', async () => {
    await join(bob, { role: 'admin' });
    const path = `/websites/${site.id}`;
    await call('PUT', path, bob, { name: 'Renamed' });
    await call('PATCH', `${path}/settings`, bob, { timezone: 'Europe/Berlin', retentionDays: null });
    const { body: link } = await call('POST', `${path}/links`, bob, {
      name: 'Client',
      password: 'open sesame',
    });
    await call('PATCH', `${path}/links/${link.id}`, bob, { isRevoked: true, password: null });
    await call('DELETE', `${path}/links/${link.id}`, bob);
    const { body: key } = await call('POST', '/auth/api-keys', ada, { name: 'Robot' });
    await call('DELETE', `/auth/api-keys/${key.apiKey.id}`, ada);
    await call('POST', `${path}/erasures`, bob, { events: 10, period: '7d' });
    await call('DELETE', `${path}/visitors/unknown`, bob);
    await call('DELETE', path, bob);
    const { body, text } = await call('GET', `/accounts/${ada.id}/audit-log`, ada);
    expect(
      body.entries
        .map(({ actor, action, subject, details: { from, to, password } }: Entry) => [
          actor === bob.email ? 'bob' : 'ada',
          action,
          subject,
          { from, to, password },
        ])
        .reverse()
        .slice(3), // the website, the invitation, and how it was accepted
    ).toEqual([
      ['bob', 'website.changed', 'Example', { from: { name: 'Example' }, to: { name: 'Renamed' } }],
      [
        'bob',
        'website.settingsChanged',
        'Renamed',
        { from: { timezone: 'UTC' }, to: { timezone: 'Europe/Berlin' } },
      ],
      ['bob', 'link.created', 'Client', {}],
      [
        'bob',
        'link.changed',
        'Client',
        { from: { isRevoked: false }, to: { isRevoked: true }, password: 'removed' },
      ],
      ['bob', 'link.deleted', 'Client', {}],
      ['ada', 'key.created', 'Robot', {}],
      ['ada', 'key.deleted', 'Robot', {}],
      ['bob', 'events.erased', 'Renamed', {}],
      ['bob', 'website.deleted', 'Renamed', {}],
    ]);
    expect(text).not.toContain('open sesame');
    expect(text).not.toContain(link.token);
    expect(text).not.toContain(key.key);
  });

  test('has the erasure of a visitor without their id, and none that erased nothing', async () => {
    const path = `/websites/${site.id}`;
    await call('POST', '/events', undefined, {
      trackingCode: site.trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/',
      visitorId: 'forgotten',
      sessionId: 's',
    });
    const erase = async () => (await call('DELETE', `${path}/visitors/forgotten`, ada)).status;
    const selected = await call('POST', `${path}/erasures`, ada, { events: 0, period: '7d' });
    expect({ selection: selected.status, first: await erase(), again: await erase() }).toEqual({
      selection: 409,
      first: 200,
      again: 404,
    });
    const { body, text } = await call('GET', `/accounts/${ada.id}/audit-log`, ada);
    const erasures = body.entries.filter(({ action }: Entry) => action.endsWith('.erased'));
    expect(erasures.map(({ actor, action, subject }: Entry) => [actor, action, subject])).toEqual([
      [ada.email, 'visitor.erased', 'Example'],
    ]);
    expect(text).not.toContain('forgotten');
  });

  test('keeps entries for a year', async () => {
    await invite({ role: 'viewer' });
    service.clock.advance(365 * DAY_MS);
    await service.members.removeOld();
    const read = async () =>
      (await call('GET', `/accounts/${ada.id}/audit-log`, await service.logIn(ada.email))).body.total;
    expect(await read()).toBe(2);
    service.clock.advance(2 * DAY_MS);
    await service.members.removeOld();
    expect(await read()).toBe(0);
  });
});
