import { t } from 'elysia';
import { API_KEY_SCOPES, TOKEN_LIFETIME_S } from '../vocabulary/contract.ts';
import { choice, instant, integer } from './types.ts';

const id = t.String({
  description: 'Opaque identifier.',
  examples: ['0193d4a1-7c2e-7bb0-8f6d-5a1e3c9b2d40'],
});
const email = t.String({
  description: 'As submitted at registration, trimmed.',
  examples: ['ada@example.com'],
});
const name = t.Union([t.String(), t.Null()], {
  description: 'null when it was not given.',
  examples: ['Ada'],
});
const createdAt = instant('ISO 8601, UTC, with milliseconds.');
const message = t.String({ description: 'A sentence for people.' });

// Closed objects: an unlisted field makes the response a 500, so that nothing can leak.

const User = t.Object({ id, email, name, createdAt }, { title: 'User', description: 'An account.' });
const UserWithKey = t.Object(
  {
    id,
    email,
    name,
    apiKey: t.String({
      pattern: '^pk_[0-9A-Za-z]{32}$',
      description: 'An API key with all scopes. Shown this once; only its hash is stored.',
      examples: ['pk_4nQv8ZrT1xYb6KdW0sHj3MfL7aPc9EgU'],
    }),
    createdAt,
  },
  { title: 'NewUser', description: 'The account that was registered.' },
);
const UserWithState = t.Object(
  {
    id,
    email,
    name,
    isActive: t.Boolean({ description: 'An inactive account cannot log in.' }),
    createdAt,
  },
  { title: 'OwnUser', description: 'The account of the caller.' },
);

export const TokenPair = t.Object(
  {
    accessToken: t.String({
      description: 'JWT (HS256); sent as `Authorization: Bearer`.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.…'],
    }),
    refreshToken: t.String({
      description: 'JWT with the same claims; works once, at /auth/refresh only.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.…'],
    }),
    expiresIn: t.Literal(TOKEN_LIFETIME_S, { description: 'Lifetime of both in seconds: 7 days.' }),
  },
  { title: 'TokenPair', description: 'What a login is.' },
);
export type TokenPair = typeof TokenPair.static;

const registration = choice(['open', 'closed'], {
  description: 'open: anyone may register. closed: the first account only.',
});

export const Setup = t.Object(
  {
    needsSetup: t.Boolean({ description: 'The server has not been set up yet.' }),
    needsCode: t.Boolean({
      description: 'Setting the server up requires the code that it printed at its start.',
    }),
    registration,
  },
  { description: 'Who may register.' },
);
export type Setup = typeof Setup.static;

export const Registration = t.Object(
  {
    registration,
    isOwner: t.Boolean({ description: 'The caller set the server up, and may change it.' }),
    isFixed: t.Boolean({
      description: 'REGISTRATION in the environment decides; it cannot be changed here.',
    }),
  },
  { description: 'Whether others may register.' },
);
export type Registration = typeof Registration.static;

export const Registered = t.Object(
  { user: UserWithKey, tokens: TokenPair },
  { description: 'Registered, and logged in.' },
);
export type Registered = typeof Registered.static;

export const LoggedIn = t.Object({ user: User, tokens: TokenPair }, { description: 'Logged in.' });
export type LoggedIn = typeof LoggedIn.static;

export const Refreshed = t.Object(
  { tokens: TokenPair },
  { description: 'The new tokens; the old refresh token is used up.' },
);

export const Profile = t.Object({ user: UserWithState }, { description: 'The account.' });
export type Profile = typeof Profile.static;

export const Done = t.Object({ message }, { description: 'Done.' });
export const Deleted = t.Object(
  { success: t.Literal(true, { description: 'It is deleted.' }), message },
  { description: 'Deleted.' },
);

const LoginSession = t.Object(
  {
    id,
    client: t.Union([t.String(), t.Null()], {
      description: 'Browser and system of the login as its User-Agent named them; null when it named none.',
      examples: ['Chrome on macOS'],
    }),
    createdAt,
    renewedAt: instant(
      'When its tokens were issued last. The dashboard renews them once a day while it is used.',
    ),
    expiresAt: instant('When it ends unless its tokens are renewed.'),
    isCurrent: t.Boolean({ description: 'It is the one that asks.' }),
  },
  { title: 'LoginSession', description: 'A login that still opens the account.' },
);
export type LoginSession = typeof LoginSession.static;

export const SessionList = t.Object(
  {
    sessions: t.Array(LoginSession, { description: 'The latest first.' }),
    total: integer({ minimum: 0, description: 'How many there are.' }),
  },
  { description: 'All logins of the account.' },
);
export type SessionList = typeof SessionList.static;

const ApiKey = t.Object(
  {
    id,
    name: t.String({ description: 'What the key is for.', examples: ['Nightly export'] }),
    prefix: t.String({
      description: 'The first 8 characters of the key, to recognise it by.',
      examples: ['pk_4nQv8'],
    }),
    scopes: t.Array(choice(API_KEY_SCOPES), { description: 'What it may do.', examples: [['read']] }),
    expiresAt: t.Union([createdAt, t.Null()], { description: 'null: never.' }),
    lastUsedAt: t.Union([createdAt, t.Null()], {
      description: 'Written at most once a minute. null: not used yet.',
    }),
    createdAt,
  },
  { title: 'ApiKey', description: 'An API key, without the key itself.' },
);
export type ApiKey = typeof ApiKey.static;

export const ApiKeyCreated = t.Object(
  {
    apiKey: ApiKey,
    key: t.String({
      description: 'The key itself. Shown this once; only its hash is stored.',
      examples: ['pk_4nQv8ZrT1xYb6KdW0sHj3MfL7aPc9EgU'],
    }),
  },
  { description: 'The key, which is shown this once.' },
);
export type ApiKeyCreated = typeof ApiKeyCreated.static;

export const ApiKeyList = t.Object(
  {
    apiKeys: t.Array(ApiKey, { description: 'Oldest first.' }),
    total: integer({ minimum: 0, description: 'How many there are.' }),
  },
  { description: 'All keys of the account.' },
);
export type ApiKeyList = typeof ApiKeyList.static;
