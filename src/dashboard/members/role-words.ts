import type { GivenRole, Role, Section } from '../../vocabulary/access.ts';

export const ROLE_NAMES: Record<Role, string> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
};

export const ROLE_HINTS: Record<GivenRole, string> = {
  viewer: 'Sees the reports and changes nothing.',
  editor: 'Also changes goals, funnels, segments, annotations and settings of websites.',
  admin: 'Also shares and deletes websites, erases data, and manages people.',
};

export const SECTION_NAMES: Record<Section, string> = {
  visitors: 'Sessions and visitors',
  properties: 'Properties of events',
  revenue: 'Revenue',
};

/** `Sessions and visitors, revenue` */
export const listSections = (hides: readonly Section[]) =>
  hides
    .map((section, index) => (index === 0 ? SECTION_NAMES[section] : SECTION_NAMES[section].toLowerCase()))
    .join(', ');
