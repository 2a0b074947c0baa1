import { eventFor } from '../../support/event.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import type { BarOptions, BarResult } from '../bar.ts';

const SQL = "' OR 1=1 --";
/** A valid body for each route that takes one. */
const BODIES: Record<string, unknown> = {
  'PUT /api/v1/websites/:id': { name: 'taken over' },
  'PATCH /api/v1/websites/:id/settings': { isPublic: true },
  'POST /api/v1/websites/:id/query': { metrics: ['visitors'], date_range: '7d' },
};
const QUERIES: Record<string, string> = {
  'GET /api/v1/websites/:id/stats/breakdown': '?dimension=page',
  'GET /api/v1/websites/:id/stats/values': '?dimension=page',
  'GET /api/v1/websites/:id/pages/detail': '?page=/',
};

/** Every route that takes an id, asked by three people for each other's things: whatever is not theirs is not there. */
export async function tryForeignData({ isLong }: BarOptions): Promise<BarResult> {
  const service = await createTestService();
  const faults: string[] = [];
  const people = [
    await createPerson(service, 'a'),
    await createPerson(service, 'b'),
    await createPerson(service, 'c'),
  ];
  const deleted = await deleteSome(service, people[0] as Person); // three were just made
  const routes = service.app.routes.filter(({ path }) => path.includes(':id'));
  let asked = 0;

  // Their answers differ by their id alone, and tests/contract/access asks every route once more.
  const asking = isLong ? people : people.slice(0, 1);
  for (const { method, path } of routes)
    for (const person of asking) {
      const ask = (id: string) => {
        asked += 1;
        const address = path.replace(':id', encodeURIComponent(id)).replaceAll(/:\w+/g, 'x');
        const key = `${method} ${path}`;
        const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[key] ?? {});
        return service.send(method, `${address}${QUERIES[key] ?? ''}`, { token: person.token, body });
      };
      const missing = await ask(crypto.randomUUID());
      if (missing.status !== 404) faults.push(`${method} ${path}: ${missing.status} for an unknown id`);
      const others = people.filter((other) => other !== person).map((other) => idFor(path, other));
      for (const id of [...others, idFor(path, deleted), 'x', SQL, '%00', 'a'.repeat(4_000), '__proto__']) {
        const answer = await ask(id);
        if (answer.status !== missing.status || answer.text !== missing.text)
          faults.push(`${method} ${path} with ${id.slice(0, 40)}: ${answer.status} ${answer.text}`);
      }
    }
  faults.push(...(await findMixed(service, people)), ...(await tryMassAssignment(service, people)));
  await readOwn(service, people, faults);
  await service.close();
  return {
    figure: `${asked} questions by ${asking.length} people on ${routes.length} routes, ${faults.length} told them apart from an unknown id`,
    faults,
  };
}

type Ids = { websiteId: string; eventId: string; keyId: string };
type Person = Ids & { name: string; token: string; trackingCode: string };

async function createPerson(service: TestService, name: string): Promise<Person> {
  const { token } = await service.signUp();
  const { id: websiteId, trackingCode } = await service.addWebsite(token, `https://${name}.example`);
  const { id: keyId } = await service.addKey(token, { name });
  const url = `https://${name}.example/`;
  const { body } = await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode, { url }) });
  return { name, token, websiteId, trackingCode, eventId: body.id, keyId };
}

/** Ids that were good once. */
async function deleteSome(service: TestService, { token }: Person): Promise<Ids> {
  const { id: websiteId, trackingCode } = await service.addWebsite(token, 'https://gone.example');
  const { id: keyId } = await service.addKey(token, { name: 'gone' });
  const { body } = await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
  await service.send('DELETE', `/api/v1/websites/${websiteId}`, { token });
  await service.send('DELETE', `/api/v1/auth/api-keys/${keyId}`, { token });
  return { websiteId, keyId, eventId: body.id };
}

function idFor(path: string, { websiteId, eventId, keyId }: Ids): string {
  if (path.includes('/api-keys/')) return keyId;
  return path.includes('/events/:id') ? eventId : websiteId;
}

/** Lists hold what is one's own and nothing else. */
async function findMixed(service: TestService, people: readonly Person[]): Promise<string[]> {
  const faults: string[] = [];
  for (const person of people) {
    const { token, name, websiteId } = person;
    const { body: websites } = await service.send('GET', '/api/v1/websites', { token });
    if (websites.websites.map(({ id }: { id: string }) => id).join() !== websiteId)
      faults.push(`the websites of ${name} are ${JSON.stringify(websites)}`);
    const { body: overview } = await service.send('GET', '/api/v1/stats/websites', { token });
    if (people.some((other) => other !== person && JSON.stringify(overview).includes(other.websiteId)))
      faults.push(`the overview of ${name} is ${JSON.stringify(overview)}`);
    const { body: keys } = await service.send('GET', '/api/v1/auth/api-keys', { token });
    if (keys.total !== 2) faults.push(`${name} has ${keys.total} keys`); // that of the registration, and one more
    for (const other of people) {
      const path = `/api/v1/events?trackingCode=${other.trackingCode}`;
      const { status } = await service.send('GET', path, { token });
      if (status !== (other === person ? 200 : 404)) faults.push(`${name} reads ${path}: ${status}`);
    }
  }
  return faults;
}

/** Checks that protected fields of a body are ignored. */
async function tryMassAssignment(service: TestService, people: readonly Person[]): Promise<string[]> {
  const [person, other] = people as [Person, Person]; // three were made
  const { token, websiteId } = person;
  const extra = {
    id: 'mine',
    userId: other.websiteId,
    trackingCode: other.trackingCode,
    isActive: false,
    createdAt: 'x',
    key: 1,
    deletedAtMs: 1,
    passwordHash: 'x',
  };
  const path = `/api/v1/websites/${websiteId}`;
  const { body: before } = await service.send('GET', path, { token });
  await service.send('PUT', path, { token, body: extra });
  await service.send('PATCH', `${path}/settings`, { token, body: extra });
  const { body: account } = await service.send('GET', '/api/v1/auth/me', { token });
  await service.send('PATCH', '/api/v1/auth/me', { token, body: { ...extra, email: 'x@y.example' } });
  const { body: accountAfter } = await service.send('GET', '/api/v1/auth/me', { token });
  const { body: after } = await service.send('GET', path, { token });
  const faults: string[] = [];
  for (const [one, two] of [
    [before, after],
    [account.user, accountAfter.user],
  ])
    for (const name of Object.keys(one))
      if (name !== 'updatedAt' && name !== 'name' && one[name] !== two[name])
        faults.push(`${name} became ${two[name]}`);
  return faults;
}

/** Checks that owners can read their resources: else a 404 for everybody would pass for privacy. */
async function readOwn(service: TestService, people: readonly Person[], faults: string[]): Promise<void> {
  for (const { token, websiteId, eventId } of people)
    for (const path of [`/websites/${websiteId}`, `/websites/${websiteId}/stats`, `/events/${eventId}`]) {
      const { status } = await service.send('GET', `/api/v1${path}`, { token });
      if (status !== 200) faults.push(`${path} of their own: ${status}`);
    }
}
