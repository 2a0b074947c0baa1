import type { Hide, Role } from '../vocabulary/access.ts';
import { AppError } from '../vocabulary/errors.ts';

/** @param role undefined: the caller sees a public website */
export function roleTooSmallError(needed: Role, role: Role): AppError {
  return new AppError('FORBIDDEN', `This needs the role ${needed}; yours is ${role}`);
}

const HIDDEN: Record<Hide, string> = {
  smallRows: 'Rows of few visitors are',
  customEvents: 'Custom events are',
  campaigns: 'Campaigns are',
  visitors: 'Sessions and visitors are',
  properties: 'Properties of events are',
  revenue: 'Revenue is',
};

/** Refuses data that are hidden from the caller. */
export function hiddenError(hide: Hide, role: Role | 'public'): AppError {
  const why =
    role === 'public' ? 'for the owner of the website' : 'hidden from you; an admin can change that';
  return new AppError('FORBIDDEN', `${HIDDEN[hide]} ${why}`);
}
