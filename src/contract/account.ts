import { t } from 'elysia';
import { choice, integer, PLAIN } from './types.ts';
import {
  API_KEY_SCOPES,
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  TOKEN_LIFETIME_S,
} from './vocabulary.ts';

/**
 * Dot-separated words, an at sign, and a host name with at least one dot. ASCII, so that lower-casing is exact. It
 * gives up at once on what is far too long: patterns are tried beside maxLength, and 4 MB of dots took 0.8 s.
 */
const EMAIL_PATTERN =
  "^(?!.{1000})[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$";
/** A to Z, or an uppercase letter of the other scripts that have them on a keyboard: Latin, Greek, Cyrillic. */
const UPPERCASE_PATTERN = '[A-Z\\u00c0-\\u00d6\\u00d8-\\u00de\\u0391-\\u03ab\\u0400-\\u042f]';

/** A date, or a date and time with its offset from UTC. */
const INSTANT_PATTERN =
  '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?$';

/** Unknown fields of a request are ignored. */
const IGNORE_UNKNOWN = { additionalProperties: true };

const newPassword = t.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  pattern: UPPERCASE_PATTERN,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, at least one of them an uppercase letter.`,
  examples: ['Correct-horse-battery'],
  'x-messages': {
    minLength: `Password must be at least ${PASSWORD_LENGTH_MIN} characters`,
    maxLength: `Password must be at most ${PASSWORD_LENGTH_MAX} characters`,
    pattern: 'Password must contain at least one uppercase letter',
  },
});
const givenPassword = t.String({
  minLength: 1,
  description: 'The password of the account.',
  examples: ['Correct-horse-battery'],
});

export const RegisterInput = t.Object(
  {
    email: t.String({
      pattern: EMAIL_PATTERN,
      maxLength: EMAIL_LENGTH_MAX,
      description: `Trimmed; at most ${EMAIL_LENGTH_MAX} characters, with a dot in the domain. Compared without regard to case.`,
      examples: ['ada@example.com'],
      'x-messages': { pattern: 'Invalid email address' },
    }),
    password: newPassword,
    name: t.Optional(
      t.String({
        ...PLAIN,
        minLength: 1,
        maxLength: NAME_LENGTH_MAX,
        description: `Trimmed; 1 to ${NAME_LENGTH_MAX} characters when given. null counts as not given.`,
        examples: ['Ada'],
      }),
    ),
  },
  IGNORE_UNKNOWN,
);
export type RegisterInput = typeof RegisterInput.static;

export const LoginInput = t.Object(
  {
    email: t.String({
      minLength: 1,
      description: 'Trimmed; compared without regard to case.',
      examples: ['ada@example.com'],
    }),
    password: givenPassword,
  },
  IGNORE_UNKNOWN,
);
export type LoginInput = typeof LoginInput.static;

export const RefreshInput = t.Object(
  {
    refreshToken: t.String({
      minLength: 1,
      description: 'A refresh token that was not used yet.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.…'],
    }),
  },
  IGNORE_UNKNOWN,
);

const NAME_OR_NULL = `Must be a text of 1 to ${NAME_LENGTH_MAX} characters without control characters, or null`;

export const ProfileInput = t.Object(
  {
    name: t.Union(
      [t.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: PLAIN.pattern }), t.Null()],
      {
        description: `Trimmed; 1 to ${NAME_LENGTH_MAX} characters. null removes it.`,
        examples: ['Ada'],
        'x-messages': { type: NAME_OR_NULL },
      },
    ),
  },
  IGNORE_UNKNOWN,
);

export const PasswordInput = t.Object({ currentPassword: givenPassword, newPassword }, IGNORE_UNKNOWN);
export type PasswordInput = typeof PasswordInput.static;

export const AccountDeletionInput = t.Object({ password: givenPassword }, IGNORE_UNKNOWN);

export const ApiKeyInput = t.Object(
  {
    name: t.String({
      ...PLAIN,
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: `What the key is for. Trimmed; 1 to ${NAME_LENGTH_MAX} characters.`,
      examples: ['Nightly export'],
    }),
    scopes: t.Optional(
      t.Array(choice(API_KEY_SCOPES), {
        minItems: 1,
        maxItems: API_KEY_SCOPES.length,
        uniqueItems: true,
        description:
          'read: GET requests. write: all other requests. events: submitting events of any age. Default: all three.',
      }),
    ),
    expiresAt: t.Optional(
      t.Union([t.String({ pattern: INSTANT_PATTERN }), t.Null()], {
        description:
          'ISO 8601, in the future: a date (its first instant in UTC) or an instant with its offset. The key is refused from then on. Absent or null: never.',
        examples: ['2027-01-01T00:00:00.000Z'],
        'x-messages': { type: 'Must be an ISO 8601 date, or an instant with its offset, or null' },
      }),
    ),
  },
  IGNORE_UNKNOWN,
);
export type ApiKeyInput = typeof ApiKeyInput.static;

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
const createdAt = t.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' });
const message = t.String({ description: 'A sentence for people.' });

// Closed objects: a field that is not listed here makes the response a 500, so nothing can leak.

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
