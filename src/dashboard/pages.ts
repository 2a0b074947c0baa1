import type { ComponentType } from 'preact';

import type { PageProps } from './browser/page-props.ts';
import { matchPath } from './browser/router.ts';
import { lazy } from './components/lazy.tsx';
import { WebsitePage } from './pages/WebsitePage.tsx';
import { WebsitesPage } from './pages/WebsitesPage.tsx';
import type { Section } from './website/sections.ts';
import { WaitingPage } from './website/WaitingPage.tsx';

type Page = {
  path: string;
  page: ComponentType<PageProps>;
  /** Name in the navigation of a website. */
  section?: string;
  /**
   * Whether the public has the page too, below `/public` instead of `/websites`. Pages that identify visitors are
   * private.
   */
  isPublic?: true;
  /** false: shown as it is to a user who is not logged in. */
  needsLogin?: false;
};

/** A page whose code is fetched when it is first opened. */
const lazyPage = (load: () => Promise<ComponentType<PageProps>>) => lazy(load, WaitingPage);

const VISITS = lazyPage(async () => (await import('./pages/VisitsPage.tsx')).VisitsPage);

const WEBSITE = '/websites/:websiteId';

/**
 * Every page, with sections in their order. A new page is an entry here and its file. Pages of daily use are
 * in the first load, the others are loaded when they are opened.
 */
export const PAGES: readonly Page[] = [
  { path: '/', page: WebsitesPage },
  { path: '/account', page: lazyPage(async () => (await import('./pages/AccountPage.tsx')).AccountPage) },
  {
    path: '/account/audit-log',
    page: lazyPage(async () => (await import('./pages/AuditLogPage.tsx')).AuditLogPage),
  },
  {
    path: '/join',
    needsLogin: false,
    page: lazyPage(async () => (await import('./pages/JoinPage.tsx')).JoinPage),
  },
  { path: WEBSITE, section: 'Dashboard', isPublic: true, page: WebsitePage },
  {
    path: `${WEBSITE}/realtime`,
    section: 'Realtime',
    isPublic: true,
    page: lazyPage(async () => (await import('./pages/RealtimePage.tsx')).RealtimePage),
  },
  { path: `${WEBSITE}/visits`, section: 'Visits', page: VISITS },
  // Addresses of two lists that became this one.
  { path: `${WEBSITE}/sessions`, page: VISITS },
  { path: `${WEBSITE}/visitors`, page: VISITS },
  {
    path: `${WEBSITE}/sessions/:sessionId`,
    page: lazyPage(async () => (await import('./pages/SessionPage.tsx')).SessionPage),
  },
  {
    path: `${WEBSITE}/visitors/:visitorId`,
    page: lazyPage(async () => (await import('./pages/VisitorPage.tsx')).VisitorPage),
  },
  {
    path: `${WEBSITE}/goals`,
    section: 'Goals',
    page: lazyPage(async () => (await import('./pages/GoalsPage.tsx')).GoalsPage),
  },
  {
    path: `${WEBSITE}/goals/funnels`,
    page: lazyPage(async () => (await import('./pages/FunnelsPage.tsx')).FunnelsPage),
  },
  {
    path: `${WEBSITE}/goals/retention`,
    page: lazyPage(async () => (await import('./pages/RetentionPage.tsx')).RetentionPage),
  },
  {
    path: `${WEBSITE}/goals/attribution`,
    page: lazyPage(async () => (await import('./pages/AttributionPage.tsx')).AttributionPage),
  },
  {
    path: `${WEBSITE}/journeys`,
    section: 'Journeys',
    page: lazyPage(async () => (await import('./pages/JourneysPage.tsx')).JourneysPage),
  },
  {
    path: `${WEBSITE}/settings`,
    section: 'Settings',
    page: lazyPage(async () => (await import('./pages/SettingsPage.tsx')).SettingsPage),
  },
  {
    path: `${WEBSITE}/import`,
    page: lazyPage(async () => (await import('./pages/ImportPage.tsx')).ImportPage),
  },
  {
    path: `${WEBSITE}/install`,
    page: lazyPage(async () => (await import('./pages/InstallPage.tsx')).InstallPage),
  },
];

export const SECTIONS: readonly Section[] = PAGES.flatMap(({ path, section, isPublic = false }) =>
  section ? [{ path: path.slice(WEBSITE.length), name: section, isPublic }] : [],
);

/** The page at a path with its props; undefined when there is none. */
export function findPage(path: string) {
  const ownPath = path.replace(/^\/(public|share)\//, '/websites/');
  const isPublic = ownPath !== path;
  for (const page of PAGES) {
    const parameters = matchPath(page.path, ownPath);
    if (parameters && (page.isPublic || !isPublic))
      return { page: page.page, parameters, isPublic, needsLogin: page.needsLogin ?? !isPublic };
  }
  return undefined;
}
