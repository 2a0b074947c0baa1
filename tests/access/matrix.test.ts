import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { members } from '../../src/db/schema.ts';
import { includesRole, type Role, SECTIONS, type Section } from '../../src/vocabulary/access.ts';
import {
  type AccountRight,
  type OperationId,
  RIGHTS,
  rightOf,
  type WebsiteRight,
} from '../../src/vocabulary/rights.ts';
import { openStage } from '../contract/stage.ts';
import {
  type DescribedRequest,
  type DescribedRoute,
  requestFor,
  sendDescribed,
} from '../support/described-routes.ts';

/**
 * Every kind of caller × every operation on a website: what is allowed follows from the table of rights alone. A further
 * kind of caller is one more entry of CALLERS.
 */

const { service, routes, ada, adas } = await openStage();
const account = { token: ada.token, apiKey: ada.apiKey };
const { id: websiteId } = adas(requireRoute('getWebsite'));
const second = await service.addWebsite(ada.token, 'https://second.example');
let websites = 0;
afterAll(() => service.close());

/** `role`: on Ada's website. Undefined: none. `isLink`: a share link, which shows what a public website shows. */
type Caller = {
  name: string;
  role: Role | undefined;
  hides: readonly Section[];
  token: string | undefined;
  isLink?: true;
};

async function addLink(name: string, filters: unknown[] = []): Promise<Caller> {
  const path = `/api/v1/websites/${websiteId}/links`;
  const { body } = await service.send('POST', path, { token: ada.token, body: { name, filters } });
  return { name, role: undefined, hides: [], token: body.token, isLink: true };
}

async function addMember(
  name: string,
  role: Role,
  { hides = [], websiteIds = null }: { hides?: readonly Section[]; websiteIds?: string[] | null } = {},
): Promise<Caller[]> {
  const { id, token, apiKey } = await service.signUp();
  await service.db.insert(members).values({
    id: crypto.randomUUID(),
    accountId: ada.id,
    userId: id,
    role,
    hides: [...hides],
    websiteIds,
    createdAtMs: service.clock.now(),
  });
  const isIncluded = websiteIds === null || websiteIds.includes(websiteId);
  const caller = { role: isIncluded ? role : undefined, hides };
  return [
    { name, token, ...caller },
    { name: `the API key of ${name}`, token: apiKey, ...caller },
  ];
}

const stranger = await service.signUp();
const OWNER = { role: 'owner', hides: [] } as const;
const STRANGER = { role: undefined, hides: [] } as const;
const CALLERS: Caller[] = [
  { name: 'the owner', token: account.token, ...OWNER },
  { name: 'the API key of the owner', token: account.apiKey, ...OWNER },
  ...(await addMember('an admin', 'admin')),
  ...(await addMember('an editor', 'editor')),
  ...(await addMember('an editor of this website', 'editor', { websiteIds: [websiteId] })),
  ...(await addMember('a viewer', 'viewer')),
  ...(await addMember('a viewer without sessions and visitors', 'viewer', { hides: ['visitors'] })),
  ...(await addMember('a viewer from whom every section is hidden', 'viewer', { hides: SECTIONS })),
  ...(await addMember('an admin of another website', 'admin', { websiteIds: [second.id] })),
  await addLink('a share link'),
  await addLink('a share link with a filter', [['is', 'country', ['DE']]]),
  { name: 'another account', token: stranger.token, ...STRANGER },
  { name: 'the API key of another account', token: stranger.apiKey, ...STRANGER },
  { name: 'a caller without credentials', token: undefined, ...STRANGER },
];

type Verdict = 'allowed' | 'unauthorized' | 'unknown' | 'hidden' | 'not by a link' | `needs ${Role}`;

/** Returns the verdict that the table of rights gives a caller. */
function expected({ role, hides, token, isLink }: Caller, right: WebsiteRight, isPublic: boolean): Verdict {
  if (isLink) return right.isPublic ? 'allowed' : 'not by a link';
  if (role === undefined && right.isPublic && isPublic) return 'allowed';
  if (token === undefined) return 'unauthorized';
  if (role === undefined) return 'unknown';
  if (!includesRole(role, right.role)) return `needs ${right.role}`;
  return right.shows?.some((section) => hides.includes(section)) ? 'hidden' : 'allowed';
}

type Answer = Awaited<ReturnType<typeof sendDescribed>>;

function toVerdict({ status, body }: Answer): Verdict {
  const { message = '' } = body ?? {};
  if (status === 401) return 'unauthorized';
  if (status === 404 && /^(Website|Event)( with this tracking code)? not found$/.test(message))
    return 'unknown';
  const needed = /^This needs the role (\w+); yours is \w+$/.exec(message)?.[1];
  if (status === 403 && needed) return `needs ${needed as Role}`;
  if (status === 403 && /hidden from you/.test(message)) return 'hidden';
  if (status === 403 && message === 'A share link does not show this') return 'not by a link';
  if (status === 403 || status >= 500) throw new Error(`${status}: ${message}`);
  return 'allowed';
}

/** Faults wherever there can be any: an allowed request is then a 400, and nothing is changed. */
function withFaults({ query, body, ...request }: DescribedRequest): DescribedRequest {
  const faulty = new URLSearchParams(query);
  for (const name of ['limit', 'format', 'period']) faulty.set(name, 'nonsense');
  const wrong = { name: 5, metrics: 5, traffic: 5, origin: 'nonsense', retentionDays: 'x', text: 5, at: {} };
  return { ...request, query: faulty, body: body && { ...body, ...wrong } };
}

/** Names nothing below the website, or a website of its own, where an allowed request deletes. */
async function subjectOf(route: DescribedRoute) {
  const asked = adas(route);
  if (route.method !== 'DELETE') return asked;
  if (route.operation.operationId !== 'deleteWebsite') return { ...asked, named: { visitorId: 'unknown' } };
  websites += 1;
  const { id } = await service.addWebsite(ada.token, `https://site-${websites}.example`);
  await service.send('PATCH', `/api/v1/websites/${id}/settings`, { token: ada.token, body: { isPublic } });
  return { ...asked, id };
}

function requireRoute(id: OperationId): DescribedRoute {
  const route = routes.find(({ operation }) => operation.operationId === id);
  if (!route) throw new Error(`There is no ${id}.`);
  return route;
}

const OPERATIONS = (Object.keys(RIGHTS) as OperationId[]).flatMap((id) => {
  const right = rightOf(id);
  return typeof right !== 'string' && right.on === 'website' ? [{ id, right }] : [];
});

let isPublic = false;
let requests = 0;

describe.each([false, true])('on a website with isPublic %p', (isPublicNow) => {
  beforeAll(async () => {
    isPublic = isPublicNow;
    const path = `/api/v1/websites/${websiteId}/settings`;
    await service.send('PATCH', path, { token: ada.token, body: { isPublic } });
  });

  test.each(CALLERS)('$name may do what the table of rights says, and nothing else', async (caller) => {
    const found: Record<string, Verdict> = {};
    const wanted: Record<string, Verdict> = {};
    for (const { id, right } of OPERATIONS) {
      const route = requireRoute(id);
      const subject = await subjectOf(route);
      const request = withFaults(requestFor(route, subject));
      found[id] = toVerdict(await sendDescribed(service, request, { token: caller.token }));
      const isOther =
        id === 'deleteWebsite' &&
        (caller.isLink || (caller.role !== undefined && caller.name.includes('this website')));
      // A link opens its website by the path alone, not by a tracking code, an event or a domain.
      const isElsewhere = caller.isLink && !route.path.startsWith('/api/v1/websites/{id}');
      wanted[id] = isOther || isElsewhere ? 'unknown' : expected(caller, right, isPublic);
      requests += 1;
    }
    expect(found).toEqual(wanted);
  });
});

const ACCOUNT_OPERATIONS = (Object.keys(RIGHTS) as OperationId[]).flatMap((id) => {
  const right = rightOf(id);
  return typeof right !== 'string' && right.on === 'account' ? [{ id, right }] : [];
});

/** Returns the answer that the table of rights gives a caller in Ada's account. */
function expectedInAccount({ name, role, token, isLink }: Caller, right: AccountRight): number[] {
  const isKey = name.startsWith('the API key');
  if (token === undefined || isLink) return [401];
  if (isKey && right.isLogin) return [403];
  if (name.includes('another account')) return [404];
  // A role on some websites is that of a viewer in the account.
  const own: Role = /this website|another website/.test(name) ? 'viewer' : (role ?? 'viewer');
  return includesRole(own, right.role) ? [200, 400, 404, 409] : [403];
}

test.each(CALLERS)('$name may do in the account what the table of rights says', async (caller) => {
  for (const { id, right } of ACCOUNT_OPERATIONS) {
    if (id === 'leaveAccount' && /admin|editor|viewer/.test(caller.name)) continue; // it succeeds, once
    const route = requireRoute(id);
    const path = route.path.replace('{accountId}', ada.id).replace('{memberId}', 'unknown');
    const hasBody = route.method === 'POST' || route.method === 'PATCH';
    const { status, body } = await service.send(route.method, path, {
      token: caller.token,
      ...(hasBody && { body: { role: 'nonsense' } }),
    });
    requests += 1;
    const wanted = expectedInAccount(caller, right);
    expect({ id, status, message: body.message, isWanted: wanted.includes(status) }).toMatchObject({
      isWanted: true,
    });
    if (status === 404)
      expect(body.message).toBe(wanted.length > 1 ? 'Member not found' : 'Account not found');
  }
});

test('asks more than eight hundred questions', () => {
  expect(requests).toBeGreaterThan(800);
});

/** Written out, so that a change of the table is seen. */
test('gives the roles these rights beyond reading', () => {
  const of = (role: Role) =>
    OPERATIONS.filter(({ right }) => right.role === role)
      .map(({ id }) => id)
      .sort();
  expect({ editor: of('editor'), admin: of('admin'), owner: of('owner') }).toEqual({
    editor: [
      'addReadyGoals',
      'checkWebsite',
      'createAnnotation',
      'createGoal',
      'createSavedFunnel',
      'createSegment',
      'deleteAnnotation',
      'deleteGoal',
      'deleteSavedFunnel',
      'deleteSegment',
      'getImport',
      'getWebsiteSettings',
      'listImports',
      'updateAnnotation',
      'updateGoal',
      'updateSavedFunnel',
      'updateSegment',
      'updateWebsite',
      'updateWebsiteSettings',
    ],
    admin: [
      'createImport',
      'createShareLink',
      'deleteShareLink',
      'deleteWebsite',
      'eraseEvents',
      'eraseVisitor',
      'getShareLink',
      'listShareLinks',
      'previewErasure',
      'setImportOptions',
      'startImport',
      'undoImport',
      'updateShareLink',
      'uploadImportPart',
    ],
    owner: [],
  });
});
