import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { forgetAnswers } from './api/use-answer.ts';
import { Announcer } from './components/Announcer.tsx';
import { lazyPage } from './components/lazy-page.tsx';
import type { PageProps } from './page-props.ts';
import { DoorPage } from './pages/DoorPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { WebsitePage } from './pages/WebsitePage.tsx';
import { WebsitesPage } from './pages/WebsitesPage.tsx';
import { matchPath, useAddress } from './router.ts';
import { useSession } from './use-session.ts';

type Page = { path: string; page: ComponentType<PageProps>; isPublic?: true };

const realtimePage = lazyPage(async () => (await import('./pages/RealtimePage.tsx')).RealtimePage);

/** Every page. What people look at every morning is in the first load, the others come when they are opened. */
const PAGES: Page[] = [
  { path: '/', page: WebsitesPage },
  { path: '/websites/:websiteId', page: WebsitePage },
  { path: '/public/:websiteId', page: WebsitePage, isPublic: true },
  {
    path: '/websites/:websiteId/install',
    page: lazyPage(async () => (await import('./pages/InstallPage.tsx')).InstallPage),
  },
  { path: '/websites/:websiteId/realtime', page: realtimePage },
  { path: '/public/:websiteId/realtime', page: realtimePage, isPublic: true },
  {
    path: '/websites/:websiteId/sessions',
    page: lazyPage(async () => (await import('./pages/SessionsPage.tsx')).SessionsPage),
  },
  {
    path: '/websites/:websiteId/sessions/:sessionId',
    page: lazyPage(async () => (await import('./pages/SessionPage.tsx')).SessionPage),
  },
  {
    path: '/websites/:websiteId/visitors',
    page: lazyPage(async () => (await import('./pages/VisitorsPage.tsx')).VisitorsPage),
  },
  {
    path: '/websites/:websiteId/visitors/:visitorId',
    page: lazyPage(async () => (await import('./pages/VisitorPage.tsx')).VisitorPage),
  },
  {
    path: '/websites/:websiteId/settings',
    page: lazyPage(async () => (await import('./pages/SettingsPage.tsx')).SettingsPage),
  },
  {
    path: '/account',
    page: lazyPage(async () => (await import('./pages/AccountPage.tsx')).AccountPage),
  },
];

export function App() {
  const address = useAddress();
  const { login, isExpired } = useSession();
  const [path = '/', query] = address.split('?');
  useEffect(() => {
    if (!login) forgetAnswers();
  }, [login]);
  // The next page begins at its top; filters and periods of the same page leave the place alone.
  useEffect(() => scrollTo(0, 0), [path]);

  return (
    <>
      {pageFor()}
      <Announcer />
    </>
  );

  function pageFor() {
    for (const { path: pattern, page: Page, isPublic } of PAGES) {
      const parameters = matchPath(pattern, path);
      if (!parameters) continue;
      if (!login && !isPublic) return <DoorPage isExpired={isExpired} />;
      return <Page key={path} parameters={parameters} search={query ?? ''} isPublic={isPublic ?? false} />;
    }
    return <NotFoundPage />;
  }
}
