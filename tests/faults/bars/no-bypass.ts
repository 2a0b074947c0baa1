import { createTestService } from '../../support/service.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { rawRequest, sendRaw } from '../stage/raw.ts';

/** Answered to anybody, with their methods; everything else needs a credential. Public websites are another test's. */
const OPEN = new Set([
  'GET /api/ping',
  'GET /api/health',
  'GET /api/v1/auth/setup',
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/invitations/preview',
  'POST /api/v1/share/unlock',
  'POST /api/v1/events',
  'POST /api/v1/events/batch',
]);
const IS_ASSET = /^\/(?!api\/)/;

const HOSTS: [string, string[]][] = [
  ['Host x', ['Host: x']],
  ['Host a.b', ['Host: a.b']],
  ['Host ..', ['Host: ..']],
  ['an empty Host', ['Host: ']],
  ['two Hosts', ['Host: localhost', 'Host: x']],
];
const CREDENTIALS: [string, string[]][] = [
  ['no token', []],
  ['a bad token', ['Authorization: Bearer eyJhbGciOiJub25lIn0.e30.']],
];
const PATHS: [string, (path: string) => string][] = [
  ['as it is', (path) => path],
  ['a trailing slash', (path) => `${path}/`],
  ['capitals', (path) => path.replace('/api/v1', '/API/V1')],
  ['an encoded slash', (path) => path.replace(/\/([^/]*)$/, '%2F$1')],
  ['a doubled slash', (path) => path.replace('/api', '//api')],
  ['an encoded letter', (path) => path.replace('v1', '%761')],
  ['dots', (path) => path.replace('/api', '/x/../api')],
  ['an address', (path) => `http://localhost${path}`],
];
const BODIES: [string, string][] = [
  ['no body', ''],
  ['an unreadable body', '{"name":'],
  ['a wrong body', '{"name":5,"isActive":true}'],
];
const ANSWERS_TO_STRANGERS = new Set([400, 401, 404, 405, 415]);

type Attempt = { name: string; request: string; isPlain: boolean };

/** Every protected route in every spelling, without a credential. */
export async function tryBypass(_: BarOptions): Promise<BarResult> {
  const service = await createTestService();
  const { id } = await service.addWebsite((await service.signUp()).token);
  const routes = service.app.routes.filter(
    ({ method, path }) => !OPEN.has(`${method} ${path}`) && !IS_ASSET.test(path),
  );
  const attempts = routes.flatMap(({ method, path }) =>
    attemptsOn(method, path.replace(':id', id).replaceAll(/:\w+/g, 'x')),
  );
  service.app.listen({ port: 0, hostname: '127.0.0.1' });
  const url = `http://127.0.0.1:${service.app.server?.port}`;
  const faults: string[] = [];
  try {
    for (let start = 0; start < attempts.length; start += AT_ONCE)
      faults.push(
        ...(await Promise.all(attempts.slice(start, start + AT_ONCE).map((one) => judge(url, one)))).flat(),
      );
  } finally {
    await service.app.stop(true);
    await service.close();
  }
  faults.push(...service.errors.map((error) => `an error of ours: ${error}`));
  if (routes.length < ROUTES_MIN) faults.push(`only ${routes.length} protected routes were found`);
  return {
    figure: `${attempts.length} requests on ${routes.length} protected routes, ${faults.length} got through or in the wrong order`,
    faults,
  };
}

const AT_ONCE = 32;
const ROUTES_MIN = 40;

function attemptsOn(method: string, path: string): Attempt[] {
  const attempts: Attempt[] = [];
  for (const [host, hostLines] of HOSTS)
    for (const [credential, credentialLines] of CREDENTIALS)
      for (const [spelling, spell] of PATHS)
        attempts.push({
          name: `${method} ${path} with ${host}, ${credential}, ${spelling}`,
          request: rawRequest(method, spell(path), [...hostLines, ...credentialLines]),
          isPlain: spelling === 'as it is' && host !== 'two Hosts' && host !== 'an empty Host',
        });
  const lines = ['Host: localhost', 'Content-Type: application/json'];
  for (const [name, body] of BODIES)
    attempts.push({
      name: `${method} ${path} with ${name}`,
      request: rawRequest(method, path, lines, body),
      isPlain: true,
    });
  for (const override of ['X-HTTP-Method-Override: GET', 'X-Original-URL: /api/ping', 'X-Rewrite-URL: /'])
    attempts.push({
      name: `${method} ${path} with ${override}`,
      request: rawRequest(method, path, [...lines, override]),
      isPlain: true,
    });
  if (method === 'GET')
    attempts.push({ name: `HEAD ${path}`, request: rawRequest('HEAD', path, lines), isPlain: true });
  return attempts;
}

/** Nothing is ever answered 2xx; on its own address a protected route says 401 and nothing else. */
async function judge(url: string, { name, request, isPlain }: Attempt): Promise<string[]> {
  const answer = await sendRaw(url, request);
  const status = answer?.status ?? 400; // a closed connection grants no access
  if (isPlain ? status !== 401 : !ANSWERS_TO_STRANGERS.has(status)) return [`${name}: ${status}`];
  return [];
}
