import type { ApiKey, LoggedIn, LoginSession, Profile } from '../contract/account.ts';
import { API_KEY_SCOPES, type ApiKeyScope, TOKEN_LIFETIME_S } from '../vocabulary/contract.ts';
import type { ApiKeyRow } from './api-key-store.ts';
import type { LoginRow } from './login-store.ts';
import type { UserRow } from './user-store.ts';

export function toUser({ id, email, name, createdAtMs }: UserRow): LoggedIn['user'] {
  return { id, email, name, createdAt: toIso(createdAtMs) };
}

export function toProfile({ id, email, name, isActive, createdAtMs }: UserRow): Profile {
  return { user: { id, email, name, isActive, createdAt: toIso(createdAtMs) } };
}

/** A login lives as long as its latest pair of tokens, so its end says when those were issued. */
export function toSession(
  { id, client, createdAtMs, expiresAtMs }: LoginRow,
  currentId: string,
): LoginSession {
  return {
    id,
    client,
    createdAt: toIso(createdAtMs),
    renewedAt: toIso(expiresAtMs - TOKEN_LIFETIME_S * 1_000),
    expiresAt: toIso(expiresAtMs),
    isCurrent: id === currentId,
  };
}

export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: toScopes(row.scopes),
    expiresAt: row.expiresAtMs === null ? null : toIso(row.expiresAtMs),
    lastUsedAt: row.lastUsedAtMs === null ? null : toIso(row.lastUsedAtMs),
    createdAt: toIso(row.createdAtMs),
  };
}

/** Scopes as they are stored: in the order of the vocabulary, with spaces between. */
export function toScopesText(scopes: readonly ApiKeyScope[]): string {
  return API_KEY_SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}

export function toScopes(text: string): ApiKeyScope[] {
  const stored = text.split(' ');
  return API_KEY_SCOPES.filter((scope) => stored.includes(scope));
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
