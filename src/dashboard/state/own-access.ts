import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { type GivenRole, includesRole, type Section } from '../../vocabulary/access.ts';

type Access = Pick<WebsiteProfile, 'role' | 'hides'> | undefined;

/** Role of the user on the website that is shown, with what is hidden from them; undefined while its profile loads. */
export const OwnAccess = createContext<Access>(undefined);

/** Whether the user has a role or a larger one. True while the profile loads, so that nothing jumps for most users. */
export function hasRole(access: Access, role: GivenRole): boolean {
  return access === undefined || (access.role !== 'public' && includesRole(access.role, role));
}

/** Whether a section is shown to the user. True while the profile loads. */
export function isShown(access: Access, section: Section): boolean {
  return access?.hides.includes(section) !== true;
}

export const useHasRole = (role: GivenRole) => hasRole(useContext(OwnAccess), role);
export const useIsShown = (section: Section) => isShown(useContext(OwnAccess), section);
