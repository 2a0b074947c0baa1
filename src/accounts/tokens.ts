import { jwt } from '@elysiajs/jwt';
import { SignJWT } from 'jose';
import type { TokenPair } from '../contract/account.ts';
import { TOKEN_LENGTH_MAX, TOKEN_LIFETIME_S } from '../vocabulary/contract.ts';
import { deriveKey } from './derive-key.ts';

/** Claims of a token. `jti` is the id of its pair. */
type Claims = { userId: string; email: string; iat: number; exp: number; jti: string };

export type Tokens = {
  issue(user: { id: string; email: string }, jti: string): Promise<TokenPair>;
  /**
   * Returns the claims of an unexpired access token with a valid signature. The store knows whether its pair was
   * revoked.
   */
  readAccess(token: string): Promise<Claims | undefined>;
  readRefresh(token: string): Promise<Claims | undefined>;
};

/**
 * Signs and reads the two kinds of tokens: access with the secret, refresh with a key derived from it, so that
 * neither can stand in for the other.
 */
export function createTokens(jwtSecret: string, now: () => number): Tokens {
  const accessKey = new TextEncoder().encode(jwtSecret);
  const refreshKey = deriveKey(accessKey, 'pagemeter refresh token');
  const { access } = jwt({ name: 'access', secret: accessKey }).decorator;
  const { refresh } = jwt({ name: 'refresh', secret: refreshKey }).decorator;
  /** Access tokens whose signature was verified. */
  const verified = new Map<string, Claims>();

  async function readAccess(token: string): Promise<Claims | undefined> {
    const known = verified.get(token);
    if (known) return isTimely(known, now()) ? known : undefined;
    const claims = await read(token, access, now());
    if (!claims) return undefined;
    const oldest = verified.size >= VERIFIED_MAX ? verified.keys().next().value : undefined;
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(token, claims);
    return claims;
  }

  return {
    async issue({ id, email }, jti) {
      const iat = Math.floor(now() / 1000);
      const claims: Claims = { userId: id, email, iat, exp: iat + TOKEN_LIFETIME_S, jti };
      const [accessToken, refreshToken] = await Promise.all([
        sign(claims, accessKey),
        sign(claims, refreshKey),
      ]);
      return { accessToken, refreshToken, expiresIn: TOKEN_LIFETIME_S };
    },
    readAccess,
    readRefresh: (token) => read(token, refresh, now()),
  };
}

/**
 * Verifying is work for other threads: a request waits 0.2 ms for them, a quarter of what an answer may take in all.
 * So it is done once for a token of which many requests are made; its time is judged for each.
 */
const VERIFIED_MAX = 1_000;

/**
 * With the plugin's own signer rather than the plugin: that one stamps `iat` from the system's clock after `exp` was
 * chosen, so that they are a second off around a full second, and no clock can be handed in.
 */
function sign(claims: Claims, key: Uint8Array): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
}

type Verifier = ReturnType<typeof jwt<'any'>>['decorator']['any'];

async function read(token: string, verifier: Verifier, nowMs: number): Promise<Claims | undefined> {
  if (!isCanonical(token)) return undefined;
  const claims: unknown = await verifier.verify(token, {
    algorithms: ['HS256'], // the default also accepts HS384 and HS512
    currentDate: new Date(nowMs), // judges exp
  });
  return isClaims(claims) && isTimely(claims, nowMs) ? claims : undefined;
}

function isTimely({ iat, exp }: Claims, nowMs: number): boolean {
  return iat <= nowMs / 1000 + CLOCK_TOLERANCE_S && nowMs < exp * 1000;
}

/** Tokens of another process of ours may be stamped by a clock that is ahead. */
const CLOCK_TOLERANCE_S = 60;

const THREE_PARTS = /^[\w-]+\.[\w-]+\.[\w-]{43}$/;

/** Base64 has several spellings of the same bytes, and verification takes them all; only the one we issue is ours. */
function isCanonical(token: string): boolean {
  return (
    token.length <= TOKEN_LENGTH_MAX &&
    THREE_PARTS.test(token) &&
    token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

/** Exactly the claims that we issue: whole seconds, and a lifetime of seven days. */
function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const { userId, email, iat, exp, jti, ...others } = value as Record<string, unknown>; // an object was just seen
  return (
    typeof userId === 'string' &&
    typeof email === 'string' &&
    typeof jti === 'string' &&
    Number.isSafeInteger(iat) &&
    exp === Number(iat) + TOKEN_LIFETIME_S &&
    Object.keys(others).length === 0
  );
}
