import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { hkdfSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { TEST_START_MS } from '../support/clock.ts';
import { NO_CREDENTIALS, refusal } from '../support/refusals.ts';
import { createTestService, JWT_SECRET, type Person, type TestService } from '../support/service.ts';

const KEY = new TextEncoder().encode(JWT_SECRET);
const REFRESH_KEY = new Uint8Array(hkdfSync('sha256', KEY, '', 'pagemeter refresh token', 32));
const NOW_S = TEST_START_MS / 1000;
const LIFETIME_S = 604_800;

let service: TestService;
let user: Person;
beforeAll(async () => {
  service = await createTestService();
  user = await service.signUp();
});
beforeEach(() => service.clock.set(TEST_START_MS));

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

describe('a pair of tokens', () => {
  test('is signed with HS256 and has the same claims', () => {
    for (const token of [user.token, user.refreshToken]) {
      const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
      expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
      expect(claimsOf(token)).toEqual({
        userId: user.id,
        email: user.email,
        iat: NOW_S,
        exp: NOW_S + LIFETIME_S,
        jti: expect.any(String),
      });
    }
    expect(claimsOf(user.token)).toEqual(claimsOf(user.refreshToken));
  });

  test('lives for seven days to the second', async () => {
    service.clock.set(TEST_START_MS + LIFETIME_S * 1000 - 1);
    expect(await service.statusWith(user.token)).toBe(200);
    service.clock.set(TEST_START_MS + LIFETIME_S * 1000);
    expect(await service.statusWith(user.token)).toBe(401);
    const { status, body } = await service.refresh(user.refreshToken);
    expect({ status, body }).toEqual(refusal(401, 'UNAUTHORIZED', 'Invalid refresh token'));
  });

  test('is still accepted when the clock was set back by a minute, not by more', async () => {
    service.clock.set(TEST_START_MS - 60_000);
    expect(await service.statusWith(user.token)).toBe(200);
    service.clock.set(TEST_START_MS - 61_000);
    expect(await service.statusWith(user.token)).toBe(401);
  });

  test('does not stand in for one another', async () => {
    expect(await service.statusWith(user.refreshToken)).toBe(401);
    expect((await service.refresh(user.token)).status).toBe(401);
  });
});

/** A genuine token, its key, and the key of the other kind of token. */
type Genuine = { token: string; key: Uint8Array; otherKey: Uint8Array };

const parts = ({ token }: Genuine) => token.split('.') as [string, string, string];
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed with the genuine key: what only the checks behind the signature can refuse. */
function signed(
  { token, key }: Genuine,
  changes: Record<string, unknown>,
  header: Record<string, unknown> = {},
) {
  return new SignJWT({ ...claimsOf(token), ...changes })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header })
    .sign(key);
}

function signedWith(key: Uint8Array, { token }: Genuine) {
  return new SignJWT(claimsOf(token)).setProtectedHeader({ alg: 'HS256' }).sign(key);
}

function without(name: string, { token, key }: Genuine) {
  const { [name]: _removed, ...others } = claimsOf(token);
  return new SignJWT(others).setProtectedHeader({ alg: 'HS256' }).sign(key);
}

/** Signs what no library would. */
function signedText({ key }: Genuine, payload: string, header: Record<string, unknown> = {}) {
  const start = encode({ alg: 'HS256', typ: 'JWT', ...header });
  const input = `${start}.${Buffer.from(payload).toString('base64url')}`;
  return `${input}.${new Bun.CryptoHasher('sha256', key).update(input).digest('base64url')}`;
}

/** The signature's last character holds two bits that no byte needs: four spellings of the same bytes. */
function lastCharacterChanged({ token }: Genuine) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1];
}

describe('a forged token', () => {
  const forgeries: [string, (genuine: Genuine) => string | Promise<string>][] = [
    ['nothing', () => ''],
    ['a word', () => 'token'],
    ['two dots', () => '..'],
    ['one part', (genuine) => parts(genuine)[0]],
    ['two parts', (genuine) => parts(genuine).slice(0, 2).join('.')],
    ['four parts', (genuine) => `${genuine.token}.x`],
    ['an empty signature', (genuine) => `${parts(genuine)[0]}.${parts(genuine)[1]}.`],
    ['an empty payload', (genuine) => `${parts(genuine)[0]}..${parts(genuine)[2]}`],
    ['no signature by alg none', (genuine) => new UnsecuredJWT(claimsOf(genuine.token)).encode()],
    [
      'alg none with the signature kept',
      (genuine) => `${encode({ alg: 'none' })}.${parts(genuine)[1]}.${parts(genuine)[2]}`,
    ],
    ['alg None', (genuine) => `${encode({ alg: 'None' })}.${parts(genuine)[1]}.`],
    ['another key', (genuine) => signedWith(genuine.key.toReversed(), genuine)],
    ['the key of the other kind', (genuine) => signedWith(genuine.otherKey, genuine)],
    ['a key of one zero byte', (genuine) => signedWith(new Uint8Array(1), genuine)],
    ['HS384 with the same key', (genuine) => signed(genuine, {}, { alg: 'HS384' })],
    ['HS512 with the same key', (genuine) => signed(genuine, {}, { alg: 'HS512' })],
    [
      'the header of RS256',
      (genuine) => `${encode({ alg: 'RS256', typ: 'JWT' })}.${parts(genuine)[1]}.${parts(genuine)[2]}`,
    ],
    [
      'an unknown critical header',
      (genuine) => signedText(genuine, JSON.stringify(claimsOf(genuine.token)), { crit: ['x'], x: 1 }),
    ],
    [
      'another payload',
      (genuine) =>
        `${parts(genuine)[0]}.${encode({ ...claimsOf(genuine.token), userId: 'another-user' })}.${parts(genuine)[2]}`,
    ],
    ['padding', (genuine) => `${genuine.token}=`],
    ['padding in the middle', (genuine) => `${parts(genuine)[0]}=.${parts(genuine)[1]}.${parts(genuine)[2]}`],
    ['the last character changed', lastCharacterChanged],
    ['the first character changed', (genuine) => `f${genuine.token.slice(1)}`],
    ['a signature cut short', (genuine) => genuine.token.slice(0, -1)],
    ['a signature of HS512 length', (genuine) => `${genuine.token}${'A'.repeat(43)}`],
    [
      'plus and slash for minus and underscore',
      (genuine) => `${parts(genuine)[0]}.${parts(genuine)[1]}.${'+/'.repeat(21)}A`,
    ],
    ['60,000 characters', (genuine) => `${parts(genuine)[0]}.${'A'.repeat(60_000)}.${parts(genuine)[2]}`],
    ['no exp', (genuine) => without('exp', genuine)],
    ['no iat', (genuine) => without('iat', genuine)],
    ['no jti', (genuine) => without('jti', genuine)],
    ['no userId', (genuine) => without('userId', genuine)],
    ['no email', (genuine) => without('email', genuine)],
    ['exp in the past', (genuine) => signed(genuine, { iat: NOW_S - LIFETIME_S, exp: NOW_S })],
    ['exp as text', (genuine) => signed(genuine, { exp: String(NOW_S + LIFETIME_S) })],
    ['exp for ever', (genuine) => signed(genuine, { exp: 99_999_999_999 })],
    [
      'exp out of all numbers',
      (genuine) =>
        signedText(genuine, JSON.stringify(claimsOf(genuine.token)).replace(/"exp":\d+/, '"exp":1e400')),
    ],
    ['iat in the future', (genuine) => signed(genuine, { iat: NOW_S + 61, exp: NOW_S + 61 + LIFETIME_S })],
    [
      'iat between seconds',
      (genuine) => signed(genuine, { iat: NOW_S + 0.5, exp: NOW_S + 0.5 + LIFETIME_S }),
    ],
    ['nbf', (genuine) => signed(genuine, { nbf: NOW_S + 3600 })],
    ['one claim more', (genuine) => signed(genuine, { isAdmin: true })],
    ['userId that is an object', (genuine) => signed(genuine, { userId: { id: user.id } })],
    ['email that is a list', (genuine) => signed(genuine, { email: [user.email] })],
    ['jti that is a number', (genuine) => signed(genuine, { jti: 5 })],
    ['an unknown jti', (genuine) => signed(genuine, { jti: crypto.randomUUID() })],
    ["another user's userId", async (genuine) => signed(genuine, { userId: (await service.signUp()).id })],
    ['a list of claims', (genuine) => signedText(genuine, '[]')],
    ['null for claims', (genuine) => signedText(genuine, 'null')],
    ['what is not JSON', (genuine) => signedText(genuine, '{')],
  ];

  test.each(forgeries)('with %s answers 401', async (_sentence, forge) => {
    const token = await forge({ token: user.token, key: KEY, otherKey: REFRESH_KEY });
    const { status, body, headers } = await service.send('GET', '/api/v1/auth/me', { token });
    expect({ status, body }).toEqual(NO_CREDENTIALS);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(forgeries)('with %s does not refresh', async (_sentence, forge) => {
    const token = await forge({ token: user.refreshToken, key: REFRESH_KEY, otherKey: KEY });
    expect((await service.refresh(token)).status).toBe(token === '' ? 400 : 401);
  });

  test('with a newline or a space around it does not refresh', async () => {
    expect((await service.refresh(`${user.refreshToken}\n`)).status).toBe(401);
    expect((await service.refresh(` ${user.refreshToken}`)).status).toBe(401);
  });

  test('is refused while the genuine one is not', async () => {
    const genuine = { token: user.token, key: KEY, otherKey: REFRESH_KEY };
    expect(await service.statusWith(user.token)).toBe(200);
    expect(await service.statusWith(await signed(genuine, {}))).toBe(200);
    expect(await service.statusWith(signedText(genuine, JSON.stringify(claimsOf(user.token))))).toBe(200);
    expect((await service.refresh(user.refreshToken)).status).toBe(200);
    expect(service.errors).toEqual([]);
  });
});
