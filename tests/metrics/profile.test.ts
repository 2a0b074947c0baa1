import { afterAll, expect, test } from 'bun:test';
import { createTestService } from '../support/service.ts';

const service = await createTestService();
afterAll(() => service.close());

const PUBLIC = { role: 'public', hides: ['visitors', 'properties', 'revenue'] };

test('tells the owner, and of a public website anybody, what its pages show', async () => {
  const owner = await service.addUser();
  const domain = 'https://example.com/~ada?draft=1';
  const { id, trackingCode } = await service.addWebsite(owner.apiKey, domain);
  const path = `/api/v1/websites/${id}/profile`;
  const profile = {
    id,
    name: 'Example',
    domain,
    timezone: 'UTC',
    isPublic: false,
    publicHides: [],
    isOwner: true,
    role: 'owner',
    hides: [],
    firstEventAt: null,
    hasImportedSums: false,
    primaryGoal: null,
  };
  expect((await service.send('GET', path, { token: owner.apiKey })).body).toEqual(profile);

  await service.send('PATCH', `/api/v1/websites/${id}/settings`, {
    token: owner.apiKey,
    body: { isPublic: true, timezone: 'Asia/Tokyo' },
  });
  const { body: event } = await service.send('POST', '/api/v1/events', {
    body: {
      trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/',
      sessionId: 's',
      visitorId: 'v',
    },
  });
  const open = { ...profile, isPublic: true, timezone: 'Asia/Tokyo', firstEventAt: event.createdAt };
  const shown = { ...open, domain: 'https://example.com', isOwner: false, ...PUBLIC };
  expect((await service.send('GET', path)).body).toEqual(shown);
  const other = await service.addUser();
  expect((await service.send('GET', path, { token: other.apiKey })).body).toEqual(shown);
});

test('answers 404 for a website of another owner, as for an unknown one', async () => {
  const owner = await service.addUser();
  const other = await service.addUser();
  const { id } = await service.addWebsite(owner.apiKey);
  const answers = await Promise.all(
    [id, 'unknown'].map((id) =>
      service.send('GET', `/api/v1/websites/${id}/profile`, { token: other.apiKey }),
    ),
  );
  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
    { status: 404, body: answers[0]?.body },
    { status: 404, body: answers[0]?.body },
  ]);
});
