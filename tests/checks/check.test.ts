import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Finding } from '../../src/contract/website-check.ts';
import type { Config } from '../../src/settings/config.ts';
import { eventFor } from '../support/event.ts';
import { invalid, refusal } from '../support/refusals.ts';
import { createTestService, type TestService, type User } from '../support/service.ts';

/** Where browsers find the service in these tests. */
const ORIGIN = 'http://localhost:3000';
let service: TestService;
let user: User;
/** The website that is checked: what it answers is set by each test. */
let site: ReturnType<typeof Bun.serve>;
let answerOf: (request: Request) => Response | Promise<Response>;
let website: { id: string; trackingCode: string };
let siteUrl: string;

beforeAll(async () => {
  service = await createTestService({ checkLoopback: 'on' });
  site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => answerOf(request) });
  siteUrl = `http://127.0.0.1:${site.port}`;
});
afterAll(() => site.stop(true));
afterEach(async () => {
  await service.send('DELETE', `/api/v1/websites/${website.id}`, { token: user.apiKey });
});

async function addWebsite(domain = siteUrl) {
  user ??= await service.addUser();
  website = await service.addWebsite(user.apiKey, domain);
  return website;
}

function check(options: { headers?: Record<string, string>; origin?: string; token?: string } = {}) {
  const { origin = ORIGIN, token = user.apiKey, headers = {} } = options;
  return service.send('POST', `/api/v1/websites/${website.id}/check`, { token, headers, body: { origin } });
}

/** Code and severity of what is found. */
async function findings(options: Parameters<typeof check>[0] = {}): Promise<string[]> {
  const { body } = await check(options);
  return body.findings.map(({ code, severity }: Finding) => `${severity}: ${code}`);
}

function html(text: string, headers: Record<string, string> = {}): Response {
  return new Response(`<!doctype html><title>Shop</title>${text}`, {
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  });
}

const OTHER_CODE = 'pm-0000000000000000-1700000000000';
const src = `src="${ORIGIN}/tracker.js"`;
const csp = (value: string) => ({ 'Content-Security-Policy': value });
const meta = (value: string) => `<meta http-equiv="content-security-policy" content="${value}">`;

describe('what a page says', () => {
  /** CODE stands for the website's tracking code. Before the first event a page that looks right adds a hint. */
  const pages: [string, string, string[], Record<string, string>?][] = [
    [
      'the tag of the dashboard',
      `<script async ${src} data-tracking-code="CODE"></script>`,
      ['good: script-found'],
    ],
    [
      'the code in the address',
      `<script src="${ORIGIN}/tracker.js?code=CODE"></script>`,
      ['good: script-found'],
    ],
    [
      'the code in a variable',
      `<script>TRACKER_CODE = 'CODE'</script><script ${src}></script>`,
      ['good: script-found'],
    ],
    [
      'a loader of its own',
      `<script>s.src='${ORIGIN}/tracker.js?code=CODE'</script>`,
      ['good: script-found'],
    ],
    [
      'a file of another name',
      `<base href="/a/"><script src="t.js" data-tracking-code="CODE" data-api-url="${ORIGIN}/api/v1/events"></script>`,
      ['good: script-found'],
    ],
    ['no script', '<p>tracker.js</p>', ['problem: script-missing']],
    [
      'a script in a comment',
      `<!-- <script ${src} data-tracking-code="CODE"></script> -->`,
      ['problem: script-missing'],
    ],
    ['another script', '<script src="/app.js"></script>', ['problem: script-missing']],
    [
      'another code',
      `<script ${src} data-tracking-code="${OTHER_CODE}"></script>`,
      ['problem: script-wrong-code'],
    ],
    [
      'another code in a script',
      `<script>TRACKER_CODE="${OTHER_CODE}"</script><script ${src}></script>`,
      ['problem: script-wrong-code'],
    ],
    ['no code', `<script ${src}></script>`, ['problem: script-without-code']],
    [
      'a text that is not a tracking code',
      `<script ${src} data-tracking-code="paste it here"></script>`,
      ['problem: script-without-code'],
    ],
    [
      'a tag manager',
      '<script src="https://www.googletagmanager.com/gtm.js?id=GTM-1"></script>',
      ['note: script-by-tag-manager', 'note: maybe-blocked'],
    ],
    [
      'a tag manager in a snippet',
      "<script>j.src='https://www.googletagmanager.com/gtm.js?id='</script>",
      ['note: script-by-tag-manager', 'note: maybe-blocked'],
    ],
    [
      'a tag that waits for consent',
      `<script type="text/plain" ${src} data-tracking-code="CODE"></script>`,
      ['warning: script-held-back', 'note: maybe-blocked', 'good: script-found'],
    ],
    ['a module', `<script type="module" ${src} data-tracking-code="CODE"></script>`, ['good: script-found']],
    [
      'a script from elsewhere',
      '<script src="https://other.example/tracker.js" data-tracking-code="CODE"></script>',
      ['note: script-elsewhere', 'note: maybe-blocked', 'good: script-found'],
    ],
    [
      'a policy that blocks the script',
      `<script ${src} data-tracking-code="CODE"></script>`,
      ['problem: policy-blocks-script'],
      csp("script-src 'self'; connect-src *"),
    ],
    [
      'a policy that blocks the events',
      `<script ${src} data-tracking-code="CODE"></script>`,
      ['problem: policy-blocks-events'],
      csp(`script-src ${ORIGIN}; connect-src 'self'`),
    ],
    [
      'a policy that blocks both',
      `<script ${src} data-tracking-code="CODE"></script>`,
      ['problem: policy-blocks-script', 'problem: policy-blocks-events'],
      csp("default-src 'self'"),
    ],
    [
      'a policy in the page',
      `${meta('script-src &#39;self&#39;')}<script ${src} data-tracking-code="CODE"></script>`,
      ['problem: policy-blocks-script'],
    ],
    [
      'a policy that only reports',
      `<script ${src} data-tracking-code="CODE"></script>`,
      ['good: script-found'],
      { 'Content-Security-Policy-Report-Only': "default-src 'none'" },
    ],
    [
      'a policy that lets both through',
      `<script ${src} data-tracking-code="CODE"></script>`,
      ['good: script-found'],
      csp(`default-src 'self' ${ORIGIN}`),
    ],
  ];
  test.each(pages)('%s', async (_, page, expected, headers = {}) => {
    const { trackingCode } = await addWebsite();
    answerOf = () =>
      html(
        page.replaceAll('CODE', trackingCode).replaceAll(`TRACKER_${trackingCode}`, 'TRACKER_CODE'),
        headers,
      );
    const looksRight = expected.length === 1 && expected[0] === 'good: script-found';
    expect(await findings()).toEqual(looksRight ? ['note: maybe-blocked', ...expected] : expected);
  });

  test('a script over http in a page over https is a problem', async () => {
    const { toFindings } = await import('../../src/checks/findings.ts');
    const { readPage } = await import('../../src/checks/read-page.ts');
    const text = `<script src="http://stats.example/tracker.js" data-tracking-code="${OTHER_CODE}"></script>`;
    const found = toFindings({
      trackingCode: OTHER_CODE,
      allowedOrigins: [],
      leavesOutLocalPages: true,
      origin: 'http://stats.example',
      hasEvents: false,
      issues: { unknownCode: undefined, refusedOrigins: [], ignored: [] },
      page: readPage(
        { url: new URL('https://example.com/'), headers: new Headers(), html: text },
        { scripts: ['/m.js', '/tracker.js'], collect: ['/m', '/api/v1/events'], compatible: [] },
      ),
    });
    expect(found.map(({ code }) => code)).toEqual(['script-insecure']);
  });
});

describe('what a server answers instead of a page', () => {
  const redirect = (to: string) => () => new Response(null, { status: 302, headers: { Location: to } });
  const answers: [string, () => Response | Promise<Response>, string, string?][] = [
    [
      'an error',
      () => new Response('no', { status: 503 }),
      'page-refused',
      'answers this server with status 503',
    ],
    [
      'a refusal',
      () => new Response('no', { status: 403 }),
      'page-refused',
      'answers this server with status 403',
    ],
    ['a picture', () => new Response('x', { headers: { 'Content-Type': 'image/png' } }), 'page-not-html'],
    [
      'a redirect to a private address',
      redirect('http://169.254.169.254/latest/meta-data/'),
      'page-private',
      '169.254.169.254',
    ],
    [
      'a redirect to another port',
      redirect('http://127.0.0.1:1/'),
      'page-unreachable',
      'redirects to port 1',
    ],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'page-unreachable', 'file:'],
    [
      'a redirect to nowhere',
      () => new Response(null, { status: 302 }),
      'page-refused',
      'does not say where',
    ],
    ['redirects without end', redirect('/again'), 'page-refused', 'more than 3 times'],
  ];
  test.each(answers)('%s', async (_, answer, code, words = '') => {
    await addWebsite();
    answerOf = answer;
    const { body } = await check();
    const [found] = body.findings;
    expect(found.code).toBe(code);
    expect(found.message).toContain(words);
    expect(found.fix).not.toBeEmpty();
  });

  test('a redirect within the website is followed', async () => {
    const { trackingCode } = await addWebsite();
    answerOf = ({ url }) =>
      url.endsWith('/en')
        ? html(`<script ${src} data-tracking-code="${trackingCode}"></script>`)
        : new Response(null, { status: 301, headers: { Location: '/en' } });
    expect(await findings()).toContain('good: script-found');
  });

  test('a page of more than 1 MiB is read to there', async () => {
    const { trackingCode } = await addWebsite();
    const tag = `<script ${src} data-tracking-code="${trackingCode}"></script>`;
    const filling = ' '.repeat(1024 * 1024);
    answerOf = () => html(filling + tag);
    expect(await findings()).toContain('problem: script-missing');
    answerOf = () => html(tag + filling);
    expect(await findings()).toContain('good: script-found');
  });

  test('a packed page is read, one that unpacks to more than 1 MiB to there', async () => {
    const { trackingCode } = await addWebsite();
    const tag = `<script ${src} data-tracking-code="${trackingCode}"></script>`;
    const packed = (text: string) => () =>
      new Response(Bun.gzipSync(text), {
        headers: { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' },
      });
    answerOf = packed(tag);
    expect(await findings()).toContain('good: script-found');
    const filling = ' '.repeat(8 * 1024 * 1024);
    answerOf = packed(tag + filling);
    expect(await findings()).toContain('good: script-found');
    answerOf = packed(filling + tag);
    expect(await findings()).toContain('problem: script-missing');
  });

  test('a script on a host longer than any is none', async () => {
    const { trackingCode } = await addWebsite();
    const host = 'h'.repeat(254);
    answerOf = () =>
      html(`<script src="https://${host}/tracker.js" data-tracking-code="${trackingCode}"></script>`);
    expect(await findings()).toContain('problem: script-missing');
  });

  test('the request names Pagemeter, and carries nothing of the caller', async () => {
    await addWebsite();
    let received: Headers | undefined;
    answerOf = ({ headers }) => {
      received = headers;
      return html('');
    };
    await check({ headers: { Cookie: 'a=b' } });
    expect(Object.fromEntries(received ?? [])).toEqual({
      accept: 'text/html',
      'accept-encoding': 'identity',
      host: new URL(siteUrl).host,
      'user-agent': expect.stringMatching(/^Pagemeter\/\d/) as unknown as string,
    });
  });

  test('a name that cannot be resolved is named', async () => {
    await addWebsite('https://nowhere.invalid');
    const { body } = await check();
    expect(body.findings[0]).toMatchObject({
      code: 'page-unreachable',
      message: 'The address nowhere.invalid cannot be resolved.',
    });
  });
});

describe('what arrived', () => {
  function submit(
    trackingCode: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    const body = eventFor(trackingCode, { url: `${siteUrl}/a`, ...more });
    return service.send('POST', '/api/v1/events', { body, headers });
  }
  function showTag() {
    answerOf = () => html(`<script ${src} data-tracking-code="${website.trackingCode}"></script>`);
  }

  test('the check reports an unknown tracking code from the website’s host', async () => {
    await addWebsite();
    showTag();
    await submit(OTHER_CODE);
    const { body } = await check();
    expect(body.findings[0]).toMatchObject({ code: 'unknown-code-arrived', severity: 'problem' });
    expect(body.findings[0].message).toContain(OTHER_CODE);
    service.clock.advance(60 * 60 * 1000);
    expect(await findings()).toEqual(['note: maybe-blocked', 'good: script-found']);
  });

  test('an unknown tracking code from another host is not', async () => {
    await addWebsite();
    showTag();
    await submit(OTHER_CODE, { url: 'https://other.example/' });
    expect(await findings()).toEqual(['note: maybe-blocked', 'good: script-found']);
  });

  test('the check reports an origin that is not allowed, from the page and from refused events', async () => {
    const { id, trackingCode } = await addWebsite();
    showTag();
    const body = { allowedOrigins: ['https://example.com'] };
    await service.send('PATCH', `/api/v1/websites/${id}/settings`, { token: user.apiKey, body });
    expect(await findings()).toEqual(['problem: origin-not-allowed', 'good: script-found']);
    expect((await submit(trackingCode)).status).toBe(400);
    const answer = await check();
    expect(answer.body.findings[0]).toMatchObject({ code: 'origin-refused', severity: 'problem' });
    expect(answer.body.findings[0].message).toContain(siteUrl);
  });

  test('events are found, and those of a bot are reported as excluded', async () => {
    const { trackingCode } = await addWebsite();
    showTag();
    await submit(
      trackingCode,
      {},
      { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    );
    expect(await findings()).toEqual(['good: events-arrived', 'good: script-found']);
    await submit(trackingCode, {}, { 'User-Agent': 'Googlebot/2.1' });
    expect(await findings()).toEqual(['note: left-out-bot', 'good: events-arrived', 'good: script-found']);
  });

  test('events of local pages are reported as left out, until the website counts them', async () => {
    const { id, trackingCode } = await addWebsite('https://example.com');
    await submit(trackingCode, { url: 'http://localhost:5173/' });
    expect(await findings()).toContain('warning: left-out-local');
    const body = { leavesOutLocalPages: false };
    await service.send('PATCH', `/api/v1/websites/${id}/settings`, { token: user.apiKey, body });
    expect(await findings()).not.toContain('warning: left-out-local');
  });
});

describe('who may check what', () => {
  test('an origin that is none is refused', async () => {
    await addWebsite();
    for (const origin of ['meter.example.com', 'ftp://x', 'https://x/path', 'http://[', '']) {
      const { status, body } = await check({ origin });
      expect({ status, body }).toEqual(
        invalid({ origin: ['Must be an origin such as https://meter.example.com'] }),
      );
    }
  });

  test('a second check of a website has to wait for the first', async () => {
    await addWebsite();
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    answerOf = async () => {
      arrived.resolve();
      await released.promise;
      return html('');
    };
    const first = check();
    await arrived.promise;
    const second = await check();
    expect({ status: second.status, body: second.body }).toEqual(
      refusal(429, 'RATE_LIMITED', 'A check of this website is on its way already'),
    );
    expect(second.headers.get('retry-after')).toBe('8');
    released.resolve();
    expect((await first).status).toBe(200);
    answerOf = () => html('');
    expect((await check()).status).toBe(200);
  });

  test('slow pages of one account leave room for others', async () => {
    await addWebsite();
    const owner = await service.addUser();
    const other = await service.addUser();
    const add = (token: string, path: string) => service.addWebsite(token, `${siteUrl}/${path}`);
    const checkOne = ({ id }: { id: string }, token: string) =>
      service.send('POST', `/api/v1/websites/${id}/check`, { token, body: { origin: ORIGIN } });
    const slow = [await add(owner.apiKey, 'slow/1'), await add(owner.apiKey, 'slow/2')];
    const third = await add(owner.apiKey, 'third');
    const arrived = slow.map(() => Promise.withResolvers<void>());
    const released = Promise.withResolvers<void>();
    answerOf = async ({ url }) => {
      const [, number] = /slow\/(\d)$/.exec(url) ?? [];
      if (number === undefined) return html('');
      arrived[Number(number) - 1]?.resolve();
      await released.promise;
      return html('');
    };
    const running = slow.map((website) => checkOne(website, owner.apiKey));
    await Promise.all(arrived.map(({ promise }) => promise));
    const refused = await checkOne(third, owner.apiKey);
    expect({ status: refused.status, body: refused.body }).toEqual(
      refusal(429, 'RATE_LIMITED', 'Checks of your other websites are on their way already'),
    );
    expect(refused.headers.get('retry-after')).toBe('8');
    expect((await checkOne(await add(other.apiKey, 'other'), other.apiKey)).status).toBe(200);
    released.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await checkOne(third, owner.apiKey)).status).toBe(200);
  });

  /** Asks over a socket, as a program on this machine does. @returns whether the page on loopback was fetched */
  async function isFetched(
    settings: Partial<Config>,
    headers: Record<string, string> = {},
  ): Promise<boolean> {
    let isAsked = false;
    answerOf = () => {
      isAsked = true;
      return html('');
    };
    const other = await createTestService(settings);
    other.app.listen({ port: 0, hostname: '127.0.0.1' });
    const owner = await other.addUser();
    const { id } = await other.addWebsite(owner.apiKey, siteUrl);
    const address = `http://127.0.0.1:${other.app.server?.port}/api/v1/websites/${id}/check`;
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${owner.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ origin: ORIGIN }),
    });
    const { findings } = (await response.json()) as { findings: Finding[] };
    expect(findings.some(({ code }) => code === 'page-private')).toBe(!isAsked);
    await other.app.server?.stop(true);
    await other.close();
    return isAsked;
  }

  test.each<[string, Record<string, string>]>([
    ['X-Forwarded-For', { 'X-Forwarded-For': '203.0.113.9' }],
    ['Forwarded', { Forwarded: 'for=203.0.113.9' }],
    ['Via', { Via: '1.1 proxy' }],
    ['the Host of elsewhere', { Host: 'meter.example.com' }],
    ['the Origin of elsewhere', { Origin: 'https://meter.example.com' }],
    ['the Referer of elsewhere', { Referer: 'https://meter.example.com/' }],
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('a page on loopback is not fetched for a request with %s', async (_, headers) => {
    expect(await isFetched({}, headers)).toBe(false);
  });

  test.each<[boolean, string, Partial<Config>, Record<string, string>]>([
    [true, 'by default for a direct request', {}, {}],
    [false, 'with CHECK_LOOPBACK=off', { checkLoopback: 'off' }, {}],
    [false, 'where HOST lets other machines in', { host: '0.0.0.0' }, {}],
    [false, 'behind a proxy', { trustedProxies: 1 }, {}],
    [true, 'with CHECK_LOOPBACK=on for any request', { checkLoopback: 'on' }, { Via: '1.1 proxy' }],
  ])('whether a page on loopback is fetched is %p %s', async (expected, _, settings, headers) => {
    expect(await isFetched(settings, headers)).toBe(expected);
  });
});
