import type { ApiKeyCreated, ApiKeyList } from '../contract/account.ts';
import type { ApiKeyInput } from '../contract/account-input.ts';
import { API_KEY_SCOPES, API_KEYS_MAX, type ApiKeyScope } from '../vocabulary/contract.ts';
import { MINUTE_MS } from '../vocabulary/durations.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { generateApiKey, hashApiKey, isApiKey, prefixOf } from './api-key.ts';
import type { ApiKeyRow, ApiKeyStore } from './api-key-store.ts';
import type { Caller } from './caller.ts';
import { inactiveError, unknownKeyError } from './refusals.ts';
import { toApiKey, toScopes, toScopesText } from './wire.ts';

/** The last use is written at most this often a key. */
const LAST_USE_STEP_MS = MINUTE_MS;

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** The rules of API keys. */
export function createApiKeys(store: ApiKeyStore, now: () => number) {
  const beingNoted = new Set<string>();

  /** Records the use in the background: it never delays or fails the request, and a failure leaves the older instant. */
  function noteUse({ id, lastUsedAtMs }: ApiKeyRow, nowMs: number): void {
    const isDue = lastUsedAtMs === null || lastUsedAtMs <= nowMs - LAST_USE_STEP_MS;
    if (!isDue || beingNoted.has(id)) return;
    beingNoted.add(id);
    setImmediate(() => {
      store
        .noteUse(id, nowMs, nowMs - LAST_USE_STEP_MS)
        .catch(() => {})
        .finally(() => beingNoted.delete(id));
    });
  }

  /**
   * The owner of a key; undefined when it is unknown or has expired.
   *
   * @throws AppError 403 when the account is inactive
   */
  async function identify(key: string): Promise<Caller | undefined> {
    if (!isApiKey(key)) return undefined;
    const found = await store.findByHash(hashApiKey(key));
    const nowMs = now();
    if (!found || (found.key.expiresAtMs !== null && found.key.expiresAtMs <= nowMs)) return undefined;
    if (!found.user.isActive) throw inactiveError();
    noteUse(found.key, nowMs);
    return {
      userId: found.user.id,
      email: found.user.email,
      credential: { kind: 'key', keyId: found.key.id, scopes: toScopes(found.key.scopes) },
    };
  }

  return {
    identify,

    async identifyEventSender(key: string): Promise<{ userId: string }> {
      const caller = await identify(key);
      if (!caller) throw unknownKeyError();
      requireScope(caller, 'events');
      return { userId: caller.userId };
    },

    async list(userId: string): Promise<ApiKeyList> {
      const rows = await store.list(userId, API_KEYS_MAX);
      return { apiKeys: rows.map(toApiKey), total: rows.length };
    },

    async create(userId: string, { name, scopes, expiresAt }: ApiKeyInput): Promise<ApiKeyCreated> {
      const nowMs = now();
      const { row, key } = newApiKey(userId, name, nowMs, scopes, readExpiry(expiresAt, nowMs));
      if (!(await store.add(row, API_KEYS_MAX, nowMs)))
        throw new AppError(
          'CONFLICT',
          `An account can have at most ${API_KEYS_MAX} API keys; delete one first`,
        );
      return { apiKey: toApiKey(row), key };
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.remove(userId, id, now()))) throw new AppError('NOT_FOUND', 'API key not found');
    },
  };
}

/** @throws AppError 403 when the caller is an API key without the scope; a login may do everything */
export function requireScope({ credential }: Caller, scope: ApiKeyScope): void {
  if (credential.kind === 'key' && !credential.scopes.includes(scope))
    throw new AppError('FORBIDDEN', `The API key lacks the scope "${scope}"`);
}

export function newApiKey(
  userId: string,
  name: string,
  nowMs: number,
  scopes: readonly ApiKeyScope[] = API_KEY_SCOPES,
  expiresAtMs: number | null = null,
): { row: ApiKeyRow; key: string } {
  const key = generateApiKey();
  const row = {
    id: Bun.randomUUIDv7(),
    userId,
    name,
    prefix: prefixOf(key),
    hash: hashApiKey(key),
    scopes: toScopesText(scopes),
    expiresAtMs,
    lastUsedAtMs: null,
    createdAtMs: nowMs,
  };
  return { row, key };
}

function readExpiry(expiresAt: string | null | undefined, nowMs: number): number | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const expiresAtMs = Date.parse(expiresAt);
  if (Number.isNaN(expiresAtMs)) throw faultyExpiry('Must be a date that exists');
  if (expiresAtMs <= nowMs) throw faultyExpiry('Must be in the future');
  return expiresAtMs;
}

function faultyExpiry(sentence: string): AppError {
  return validationError('Invalid request data', { expiresAt: [sentence] });
}
