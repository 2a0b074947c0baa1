import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ERROR_STATUS } from '../../src/vocabulary/contract.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type Person, type RequestOptions, type TestService } from '../support/service.ts';

/**
 * Inputs that have broken services: each has one right answer. Faults of single fields are tables of their own in
 * tests/accounts, tests/websites, tests/events and tests/metrics; here is what goes across them.
 */

let service: TestService;
let ada: Person;
let website: { id: string; trackingCode: string };
beforeAll(async () => {
  service = await createTestService();
  ada = await service.signUp();
  website = await service.addWebsite(ada.token);
});
afterAll(() => service.close());

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const event = (changes: Record<string, unknown> = {}) => eventFor(website.trackingCode, changes);
const deepObjects = (levels: number) => `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`;
/** The text of an event with one more member, for what no JSON.stringify would write. */
const eventWith = (member: string) => `${JSON.stringify(event()).slice(0, -1)},${member}}`;

type Make = () => RequestOptions;
const json = (body: unknown): RequestOptions => ({ body });
const typed = (contentType: string, rawBody: string): RequestOptions => ({
  rawBody,
  headers: { 'Content-Type': contentType },
});
const streamed = (text: string): RequestOptions => ({
  rawBody: new Blob([text]).stream() as ReadableStream<Uint8Array>, // the DOM's types name no chunk
  headers: { 'Content-Type': 'application/json' },
});

const EVENTS: [string, Make, number][] = [
  ['an object in place of every text', () => json(event({ url: {}, sessionId: {}, visitorId: {} })), 400],
  ['a url that has a toString', () => json(event({ url: { toString: 'x' } })), 400],
  ['a property called toString', () => json(event({ properties: { toString: 1, constructor: 2 } })), 201],
  ['a property called __proto__', () => json(eventWith('"properties":{"__proto__":{"isAdmin":true}}')), 201],
  ['a member called __proto__', () => json(eventWith('"__proto__":{"eventType":"scroll"}')), 201],
  ['inherited members alone', () => json('{"__proto__":{"trackingCode":"pm-x-1"}}'), 400],
  ['a member twice, the last one wrong', () => json(eventWith('"eventType":"scroll"')), 400],
  ['unknown members', () => json(event({ isAdmin: true, websiteId: 'x', createdAt: 0, flags: 255 })), 201],
  ['a timestamp of 1e309', () => json(eventWith('"timestamp":1e309')), 400],
  ['a timestamp of -1e309', () => json(eventWith('"timestamp":-1e309')), 400],
  ['a timestamp of 23 digits', () => json(eventWith('"timestamp":12300000000000000000000')), 400],
  ['a timestamp of minus zero', () => json(eventWith('"timestamp":-0')), 400],
  ['a timestamp of -8.64e15 - 1', () => json(event({ timestamp: -8_640_000_000_000_001 })), 400],
  ['NaN', () => json(eventWith('"timestamp":NaN')), 400],
  ['Infinity', () => json(eventWith('"timestamp":Infinity')), 400],
  ['an octal number', () => json(eventWith('"timestamp":017')), 400],
  ['a hexadecimal number', () => json(eventWith('"timestamp":0x10')), 400],
  ['a trailing comma', () => json(`${JSON.stringify(event()).slice(0, -1)},}`), 400],
  ['a comment', () => json(`/* x */${JSON.stringify(event())}`), 400],
  ['two values', () => json(`${JSON.stringify(event())}{}`), 400],
  ['single quotes', () => json(JSON.stringify(event()).replaceAll('"', "'")), 400],
  ['a byte order mark', () => json(`\ufeff${JSON.stringify(event())}`), 201],
  ['space around', () => json(`\r\n\t ${JSON.stringify(event())} \n`), 201],
  ['a vertical tab around', () => json(`\v${JSON.stringify(event())}`), 400],
  ['a bare NUL', () => json('\u0000'), 400],
  ['a raw control character in a text', () => json(eventWith('"browser":"a\u0001b"')), 400],
  ['half a surrogate pair in a text', () => json(event({ visitorId: '\ud800' })), 201],
  ['NUL in the visitor id', () => json(event({ visitorId: 'a\u0000b' })), 400],
  ['NUL in the browser', () => json(event({ browser: 'a\u0000b' })), 400],
  ['a text that turns from right to left', () => json(event({ browser: '\u202e\u200b' })), 201],
  ['bytes that are not UTF-8', () => ({ rawBody: Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d) }), 400],
  ['compressed bytes', () => ({ rawBody: Bun.gzipSync(JSON.stringify(event())) }), 400],
  ['30,000 levels', () => json(deep(30_000)), 400],
  ['30,000 levels in a field', () => json(eventWith(`"browser":${deep(30_000)}`)), 400],
  ['30,000 levels in an unknown field', () => json(eventWith(`"x":${deep(30_000)}`)), 201],
  ['30,000 levels of properties', () => json(eventWith(`"properties":{"a":${deep(30_000)}}`)), 400],
  ['8,000 objects in each other', () => json(eventWith(`"browser":${deepObjects(8_000)}`)), 400],
  ['200,000 levels of unknown length', () => streamed(deep(200_000)), 413],
  ['100,000 members', () => json(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`)}}`), 413],
  ['JSON in another charset', () => typed('application/json; charset=utf-16', JSON.stringify(event())), 201],
  ['a type in capitals', () => typed('APPLICATION/JSON', JSON.stringify(event())), 201],
  ['a beacon', () => typed('text/plain;charset=UTF-8', JSON.stringify(event())), 201],
  ['almost JSON by its type', () => typed('application/jsonx', JSON.stringify(event())), 415],
  ['a form by its type', () => typed('multipart/form-data; boundary=x', '--x--'), 415],
  ['XML', () => typed('text/xml', '<event/>'), 415],
  ['a url with a name and a password', () => json(event({ url: 'https://a:b@example.com/' })), 201],
  ['a url with a backslash', () => json(event({ url: 'https:\\\\example.com' })), 400],
  ['a url with a line break', () => json(event({ url: 'https://example.com/\n' })), 400],
  ['a url of data', () => json(event({ url: 'data:text/html,x' })), 400],
  ['a url with an impossible port', () => json(event({ url: 'https://example.com:99999/' })), 400],
  ['a tracking code of SQL', () => json(event({ trackingCode: "pm-' OR 1=1 --" })), 404],
  ['a tracking code of NUL', () => json(event({ trackingCode: `${website.trackingCode}\u0000` })), 404],
  [
    'a tracking code in capitals',
    () => json(event({ trackingCode: website.trackingCode.toUpperCase() })),
    400,
  ],
  ['an id in capitals', () => json(event({ id: crypto.randomUUID().toUpperCase() })), 201],
  ['an id in braces', () => json(event({ id: `{${crypto.randomUUID()}}` })), 400],
  ['an id with a line break', () => json(event({ id: `${crypto.randomUUID()}\n` })), 400],
];

const BATCHES: [string, Make, number][] = [
  ['no events', () => json({}), 400],
  ['an empty list', () => json({ events: [] }), 400],
  ['an object with a length', () => json({ events: { length: 1, 0: event() } }), 400],
  ['1,001 events', () => json({ events: Array.from({ length: 1_001 }, () => event()) }), 400],
  ['1,000 events', () => json({ events: Array.from({ length: 1_000 }, () => event()) }), 201],
  ['nothing but null', () => json({ events: [null, null] }), 207],
  ['lists, numbers and texts among events', () => json({ events: [event(), [], 5, 'x', true] }), 207],
  ['a list of lists', () => json({ events: [[event()]] }), 207],
  ['10,000 levels in place of an event', () => json(`{"events":[${deep(10_000)}]}`), 207],
  ['a bare list', () => json([event()]), 400],
  ['one id twice', () => json({ events: [event({ id: SAME_ID }), event({ id: SAME_ID })] }), 201],
];
const SAME_ID = '01a1fe00-0000-7000-8000-000000000000';

const ACCOUNTS: [string, string, Make, number][] = [
  [
    'an address that has a toString',
    '/auth/login',
    () => json('{"email":{"toString":1},"password":"X"}'),
    400,
  ],
  [
    'an address with a prototype',
    '/auth/register',
    () => json('{"email":{"__proto__":{"toString":1}}}'),
    400,
  ],
  ['a valueOf', '/auth/login', () => json({ email: { valueOf: 1, toString: {} }, password: 'X' }), 400],
  ['inherited members alone', '/auth/login', () => json({ constructor: 1, toString: 'x' }), 400],
  ['200,000 levels', '/auth/login', () => json(`{"email":${deep(200_000)}}`), 413],
  ['30,000 levels', '/auth/register', () => json(`{"name":${deep(30_000)}}`), 400],
  ['10,000 objects in each other', '/auth/register', () => json(`{"name":${deepObjects(10_000)}}`), 400],
  ['a text of 64 KiB', '/auth/login', () => json({ email: 'x'.repeat(65_536 - 12) }), 400],
  ['a text of 64 KiB and a byte', '/auth/login', () => json({ email: 'x'.repeat(65_537 - 12) }), 413],
  ['a form', '/auth/login', () => typed('application/x-www-form-urlencoded', 'email=a&password=b'), 415],
  ['text', '/auth/login', () => typed('text/plain', '{"email":"a@b.de","password":"X"}'), 415],
  ['no type', '/auth/login', () => ({ rawBody: new TextEncoder().encode('{}') }), 415],
  ['a list', '/auth/login', () => json([]), 400],
  ['a password of NUL', '/auth/login', () => json({ email: 'unknown@example.com', password: '\u0000' }), 401],
  ['SQL', '/auth/login', () => json({ email: "' OR 1=1 --", password: "' OR 1=1 --" }), 401],
  ['a refresh token that is a number', '/auth/refresh', () => json({ refreshToken: 5 }), 400],
  [
    'a refresh token of 5,000 characters',
    '/auth/refresh',
    () => json({ refreshToken: 'x'.repeat(5_000) }),
    401,
  ],
  ['a refresh token of dots', '/auth/refresh', () => json({ refreshToken: '..' }), 401],
];

const WEBSITE_BODIES: [string, string, string, unknown, number][] = [
  ['a name that has a toString', 'PUT', '', { name: { toString: 1 } }, 400],
  ['a domain that is an object', 'PUT', '', { domain: { href: 'https://example.com' } }, 400],
  ['half a surrogate pair as name', 'PUT', '', { name: '\ud800' }, 200],
  ['a zone of SQL', 'PATCH', '/settings', { timezone: "' OR 1=1 --" }, 400],
  ['an offset as zone', 'PATCH', '/settings', { timezone: '+01:00' }, 400],
  ['negative retention', 'PATCH', '/settings', { retentionDays: -1 }, 400],
  ['half a day of retention', 'PATCH', '/settings', { retentionDays: 0.5 }, 400],
  ['retention of 1e300', 'PATCH', '/settings', { retentionDays: 1e300 }, 400],
  ['"yes" for true', 'PATCH', '/settings', { isPublic: 'yes' }, 400],
  ['1 for true', 'PATCH', '/settings', { isPublic: 1 }, 400],
  ['an impossible range', 'PATCH', '/settings', { excludedIps: ['10.0.0.0/33'] }, 400],
  ['an address in octal', 'PATCH', '/settings', { excludedIps: ['010.0.0.1'] }, 400],
  ['a null origin', 'PATCH', '/settings', { allowedOrigins: ['null'] }, 400],
  ['a list in a list', 'PATCH', '/settings', { allowedOrigins: [['https://example.com']] }, 400],
  [
    '101 origins',
    'PATCH',
    '/settings',
    { allowedOrigins: Array.from({ length: 101 }, (_, n) => `https://${n}.example`) },
    400,
  ],
];

const READS: [string, () => string, number][] = [
  ['a limit of 1.5', () => `/events?trackingCode=${website.trackingCode}&limit=1.5`, 400],
  ['a limit of 1e2', () => `/events?trackingCode=${website.trackingCode}&limit=1e2`, 400],
  ['a limit of 0x10', () => `/events?trackingCode=${website.trackingCode}&limit=0x10`, 400],
  ['a limit of -1', () => `/events?trackingCode=${website.trackingCode}&limit=-1`, 400],
  ['a limit with a space', () => `/events?trackingCode=${website.trackingCode}&limit=%2010`, 400],
  ['a limit in other digits', () => `/events?trackingCode=${website.trackingCode}&limit=%D9%A1`, 400],
  ['a limit twice', () => `/events?trackingCode=${website.trackingCode}&limit=1&limit=2`, 400],
  [
    'a limit of a hundred digits',
    () => `/events?trackingCode=${website.trackingCode}&limit=${'9'.repeat(100)}`,
    200,
  ],
  ['an offset of 1.5', () => `/events?trackingCode=${website.trackingCode}&offset=1.5`, 400],
  ['an offset of 1e300', () => `/events?trackingCode=${website.trackingCode}&offset=1e300`, 400],
  [
    'an offset of a hundred digits',
    () => `/events?trackingCode=${website.trackingCode}&offset=${'9'.repeat(100)}`,
    200, // as much as there can be
  ],
  ['a date that does not exist', () => `/events?trackingCode=${website.trackingCode}&from=2026-02-30`, 400],
  ['a word as date', () => `/events?trackingCode=${website.trackingCode}&from=yesterday`, 400],
  ['a year of six digits', () => `/events?trackingCode=${website.trackingCode}&from=%2B999999-01-01`, 400],
  [
    'an instant no date can hold',
    () => `/events?trackingCode=${website.trackingCode}&to=8640000000000001`,
    400,
  ],
  ['an unknown event type', () => `/events?trackingCode=${website.trackingCode}&eventType=PAGEVIEW`, 400],
  ['a cursor of SQL', () => `/events?trackingCode=${website.trackingCode}&cursor='--`, 400],
  ['a cursor of zeros', () => `/events?trackingCode=${website.trackingCode}&cursor=AAAA`, 400],
  ['a tracking code twice', () => `/events?trackingCode=${website.trackingCode}&trackingCode=x`, 400],
  ['an escape that is none', () => '/events?trackingCode=%zz', 404],
  ['bytes that are not UTF-8', () => '/events/%ff%fe', 404],
  ['a NUL as id', () => '/events/%00', 404],
  ['an id with an encoded slash', () => '/events/..%2f..%2fwebsites', 404],
  ['an unknown period', () => `/websites/${website.id}/stats?period=2d`, 400],
  [
    'a range that ends before it begins',
    () => `/websites/${website.id}/stats?from=2026-02-02&to=2026-01-01`,
    400,
  ],
  ['a zone of Mars', () => `/websites/${website.id}/stats?timezone=Mars/Olympus`, 400],
  ['a filter that is not JSON', () => `/websites/${website.id}/stats?filters=[[`, 400],
  [
    'a filter of an unknown name',
    () => `/websites/${website.id}/stats?filters=[["is","__proto__",["x"]]]`,
    400,
  ],
  [
    'a filter of an unknown operator',
    () => `/websites/${website.id}/stats?filters=[["constructor","page",["x"]]]`,
    400,
  ],
  ['filters of 1,000 levels', () => `/websites/${website.id}/stats?filters=${deep(1_000)}`, 400],
  ['an inherited dimension', () => `/websites/${website.id}/stats/breakdown?dimension=toString`, 400],
  ['an inherited format', () => `/websites/${website.id}/stats/timeseries?format=constructor`, 400],
  ['minutes of a year', () => `/websites/${website.id}/stats/timeseries?period=12mo&interval=minute`, 400],
];

async function expectAnswer(method: string, path: string, options: RequestOptions, status: number) {
  const answer = await service.send(method, `/api/v1${path}`, options);
  expect(answer.status, answer.text.slice(0, 200)).toBe(status);
  expect(service.errors).toEqual([]);
  if (status < 400) return;
  const { error, message, details } = answer.body;
  const codes: Record<string, number> = ERROR_STATUS;
  expect(codes[error]).toBe(status);
  expect(message).toBeString();
  if (status === 400)
    expect(details).toMatchObject({ formErrors: expect.any(Array), fieldErrors: expect.any(Object) });
}

describe('an event', () => {
  test.each(EVENTS)('of %s', (_, make, status) => expectAnswer('POST', '/events', make(), status));
});
describe('a batch', () => {
  test.each(BATCHES)('of %s', (_, make, status) => expectAnswer('POST', '/events/batch', make(), status));
});
describe('an account', () => {
  test.each(ACCOUNTS)('by %s', (_, path, make, status) => expectAnswer('POST', path, make(), status));
});
describe('a website', () => {
  test.each(WEBSITE_BODIES)('with %s', (_, method, path, body, status) =>
    expectAnswer(method, `/websites/${website.id}${path}`, { token: ada.token, body }, status),
  );
});
describe('a question', () => {
  test.each(READS)('with %s', (_, path, status) => expectAnswer('GET', path(), { token: ada.token }, status));
});
