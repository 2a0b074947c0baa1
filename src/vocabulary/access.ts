import { PUBLIC_HIDES } from './contract.ts';

/** Closed lists of who may do what. Imports nothing of ours but the contract's lists, so that the dashboard can use it. */

/** Roles on a website, each with the rights of those before it. The owner is the account that registered it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];
/** Roles that an invitation can give. */
export const GIVEN_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[];
export type GivenRole = (typeof GIVEN_ROLES)[number];

/** Sections that can be hidden from a person. The public never sees them. */
export const SECTIONS = ['visitors', 'properties', 'revenue'] as const;
export type Section = (typeof SECTIONS)[number];

/** Data that can be hidden from a caller: from the public by the owner, from a person by an admin. */
export const HIDES = [...PUBLIC_HIDES, ...SECTIONS] as const;
export type Hide = (typeof HIDES)[number];

/** Returns whether a role has the rights of another. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Changes that the audit log of an account records. */
export const AUDIT_ACTIONS = [
  'member.invited',
  'member.joined',
  'member.changed',
  'member.removed',
  'member.left',
  'invitation.revoked',
  'website.created',
  'website.changed',
  'website.settingsChanged',
  'website.deleted',
  'website.handedOver',
  'website.received',
  'link.created',
  'link.changed',
  'link.deleted',
  'events.erased',
  'visitor.erased',
  'key.created',
  'key.deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
