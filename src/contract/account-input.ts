import { t } from 'elysia';
import {
  API_KEY_SCOPES,
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../vocabulary/contract.ts';
import { choice, PLAIN } from './types.ts';

/**
 * Dot-separated words, an at sign, and a host name with at least one dot. ASCII, so that lower-casing is exact. It fails
 * fast on texts that are far too long: patterns are tested in addition to maxLength, and 4 MB of dots took 0.8 s.
 */
const EMAIL_PATTERN =
  "^(?!.{1000})[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$";
/** A to Z, or an uppercase letter of the other scripts that have them on a keyboard: Latin, Greek, Cyrillic. */
const UPPERCASE_PATTERN = '[A-Z\\u00c0-\\u00d6\\u00d8-\\u00de\\u0391-\\u03ab\\u0400-\\u042f]';

/** A date, or a date and time with its offset from UTC. */
export const INSTANT_PATTERN =
  '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?$';

/** Unknown fields of a request are ignored. */
const IGNORE_UNKNOWN = { additionalProperties: true };

const newPassword = t.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  pattern: UPPERCASE_PATTERN,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, at least one of them an uppercase letter. With COMMON_PASSWORDS=refuse not one of the most common ones, such as Password1.`,
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
    setupCode: t.Optional(
      t.String({
        maxLength: 100,
        description:
          'The code that the server printed at its start. The account that uses it sets the server up, and owns it.',
        examples: ['4kPq9ZtBw2Xc'],
      }),
    ),
    invitation: t.Optional(
      t.String({
        maxLength: 100,
        description:
          'Token of an invitation, which the new account accepts; registration may then be closed.',
        examples: ['7Hd82kLmQ0sTzW1x7Hd82kLmQ0sTzW1x'],
      }),
    ),
    othersMayRegister: t.Optional(
      t.Boolean({ description: 'Decided by the account that sets the server up; ignored from others.' }),
    ),
  },
  IGNORE_UNKNOWN,
);
export type RegisterInput = typeof RegisterInput.static;

export const RegistrationInput = t.Object(
  {
    registration: choice(['open', 'closed'], { description: 'open: anyone may register. closed: no one.' }),
  },
  IGNORE_UNKNOWN,
);

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

const revokeApiKeys = t.Optional(
  t.Boolean({ description: 'true also revokes every API key of the account. Default: they stay.' }),
);

export const PasswordInput = t.Object(
  { currentPassword: givenPassword, newPassword, revokeApiKeys },
  IGNORE_UNKNOWN,
);
export type PasswordInput = typeof PasswordInput.static;

export const LogoutAllInput = t.Object({ revokeApiKeys }, { ...IGNORE_UNKNOWN, 'x-optional': true });

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
