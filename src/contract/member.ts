import { t } from 'elysia';
import { AUDIT_ACTIONS, GIVEN_ROLES, ROLES, SECTIONS } from '../vocabulary/access.ts';
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX, NOTE_LENGTH_MAX, WEBSITES_MAX } from '../vocabulary/contract.ts';
import { pageFields } from './list-query.ts';
import { choice, count, instant, opaqueId, PLAIN } from './types.ts';

/** Unknown fields of a request are ignored. */
const IGNORE_UNKNOWN = { additionalProperties: true };
const TOKEN_LENGTH_MAX = 100;

const websiteIds = t.Union([t.Array(t.String(), { maxItems: WEBSITES_MAX }), t.Null()], {
  description: 'Websites that the role is for; null: all of the account, also those added later.',
  'x-messages': { type: `Must be a list of at most ${WEBSITES_MAX} ids of websites, or null` },
});
const hides = t.Array(choice(SECTIONS, { description: 'A section.' }), {
  uniqueItems: true,
  description:
    'Sections that are hidden from the member: `visitors` (sessions, visitors and single events), `properties`, `revenue`. Only from a viewer.',
});
const note = t.String({
  ...PLAIN,
  maxLength: NOTE_LENGTH_MAX,
  description: 'Remark on who it is.',
  examples: ['Our agency'],
});
const isoOrNull = (description: string) =>
  t.Union([t.String({ format: 'date-time' }), t.Null()], { description });
const textOrNull = (description: string) => t.Union([t.String(), t.Null()], { description });

export const Member = t.Object(
  {
    id: opaqueId,
    userId: textOrNull('The user; null while the invitation is open.'),
    email: textOrNull('Their address; of an open invitation the one that may accept it, null for any.'),
    name: textOrNull('Their name; null when none was given.'),
    note: t.String({ description: 'Remark on who it is.' }),
    role: choice(ROLES, {
      description: 'What they may do. An open invitation with the role `owner` hands one website over.',
    }),
    websiteIds: t.Union([t.Array(t.String()), t.Null()], {
      description: 'Websites that the role is for; null: all.',
    }),
    hides: t.Array(choice(SECTIONS, { description: 'A section.' }), {
      description: 'Sections that are hidden from them.',
    }),
    createdAt: instant('When they were invited.'),
    expiresAt: isoOrNull('When the invitation expires; null once it is accepted.'),
    joinedAt: isoOrNull('When they accepted; null until then.'),
  },
  { title: 'Member', description: 'A member of an account, or an open invitation to it.' },
);
export type Member = typeof Member.static;

export const MemberList = t.Object(
  {
    members: t.Array(Member, { description: 'Open invitations, then members.' }),
    total: count('All of them, whatever the page.'),
  },
  { description: 'Members, and open invitations.' },
);
export type MemberList = typeof MemberList.static;

export const InvitationInput = t.Object(
  {
    role: choice(ROLES, {
      description:
        '`viewer` reads. `editor` also changes goals, funnels, segments, annotations and settings of websites. `admin` does everything except deleting the account. `owner` hands the one website in `websiteIds` over to another account.',
      examples: ['viewer'],
    }),
    websiteIds: t.Optional(websiteIds),
    hides: t.Optional(hides),
    email: t.Optional(
      t.Union([t.String({ maxLength: EMAIL_LENGTH_MAX }), t.Null()], {
        description: 'Address of the only account that may accept. Absent or null: any account.',
        examples: ['grace@example.com'],
        'x-messages': { type: `Must be an address of at most ${EMAIL_LENGTH_MAX} characters, or null` },
      }),
    ),
    note: t.Optional(note),
  },
  IGNORE_UNKNOWN,
);
export type InvitationInput = typeof InvitationInput.static;

export const Invited = t.Object(
  {
    member: Member,
    token: t.String({
      description: 'Goes into the link: `/join#TOKEN`. Shown once; valid for 7 days and one use.',
    }),
  },
  { description: 'Invited.' },
);
export type Invited = typeof Invited.static;

export const MemberUpdate = t.Object(
  {
    role: t.Optional(choice(GIVEN_ROLES, { description: 'What they may do.' })),
    websiteIds: t.Optional(websiteIds),
    hides: t.Optional(hides),
    note: t.Optional(note),
  },
  IGNORE_UNKNOWN,
);
export type MemberUpdate = typeof MemberUpdate.static;

export const TokenInput = t.Object(
  {
    token: t.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'The token of the invitation.',
      examples: ['7Hd82kLmQ0sTzW1x7Hd82kLmQ0sTzW1x'],
    }),
  },
  IGNORE_UNKNOWN,
);

export const Invitation = t.Object(
  {
    account: t.Object(
      { name: textOrNull('Name of its owner.'), email: t.String({ description: 'Address of its owner.' }) },
      { description: 'The account that invites.' },
    ),
    role: choice(ROLES, { description: 'What the invited person may do.' }),
    websites: t.Array(t.String({ description: 'The name of a website.' }), {
      description: 'The websites that it is for, at most ten of them.',
    }),
    websiteTotal: count('How many websites it is for.'),
    hides: t.Array(choice(SECTIONS, { description: 'A section.' }), {
      description: 'Sections that are hidden.',
    }),
    isBound: t.Boolean({ description: 'Only one address may accept it.' }),
    expiresAt: instant('When it expires.'),
  },
  { title: 'Invitation', description: 'An open invitation, as its link shows it.' },
);
export type Invitation = typeof Invitation.static;

export const Joined = t.Object(
  {
    accountId: t.String({ description: 'The account that was joined.' }),
    role: choice(ROLES, { description: 'The role in it; `owner` when a website was taken over.' }),
  },
  { description: 'Joined.' },
);

export const AccountList = t.Object(
  {
    accounts: t.Array(
      t.Object(
        {
          id: opaqueId,
          email: t.String({ description: 'Address of its owner.' }),
          name: textOrNull('Name of its owner.'),
          role: choice(ROLES, { description: 'The caller’s role; `owner` of their own account.' }),
          isWhole: t.Boolean({ description: 'The role is for all websites of the account.' }),
        },
        { description: 'An account.' },
      ),
      { description: 'Your own, then those that you are a member of.' },
    ),
    total: count('All of them.'),
  },
  { description: 'Accounts.' },
);
export type AccountList = typeof AccountList.static;

export const AuditQuery = t.Object(
  {
    action: t.Optional(choice(AUDIT_ACTIONS, { description: 'Only entries of this action.' })),
    search: t.Optional(
      t.String({
        maxLength: NAME_LENGTH_MAX,
        description: 'Only entries whose actor or subject contains this, whatever the case.',
      }),
    ),
    format: t.Optional(choice(['json', 'csv'], { description: 'Default json.' })),
    ...pageFields,
  },
  { additionalProperties: true },
);

export const AuditLog = t.Object(
  {
    entries: t.Array(
      t.Object(
        {
          at: instant('When it was done.'),
          actor: textOrNull('Address of who did it; null: the server itself.'),
          action: choice(AUDIT_ACTIONS, { description: 'What was done.' }),
          websiteId: textOrNull('The website that it was done to.'),
          subject: t.String({ description: 'The name of what it was done to.' }),
          details: t.Record(t.String(), t.Unknown(), { description: 'What changed.' }),
        },
        { description: 'An entry.' },
      ),
      { description: 'The latest first.' },
    ),
    total: count('All that are kept.'),
  },
  { title: 'AuditLog', description: 'Changes in an account, of the last year.' },
);
export type AuditLog = typeof AuditLog.static;

export const Done = t.Object(
  {
    success: t.Literal(true, { description: 'It is done.' }),
    message: t.String({ description: 'A sentence.' }),
  },
  { description: 'Done.' },
);
