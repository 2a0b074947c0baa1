import { useEffect, useState } from 'preact/hooks';
import { forgetAnswers } from './api/use-answer.ts';
import { useSession } from './api/use-session.ts';
import { useAddress } from './browser/router.ts';
import { Announcer } from './components/Announcer.tsx';
import { Boundary } from './components/Boundary.tsx';
import { Frame } from './components/Frame.tsx';
import { lazy } from './components/lazy.tsx';
import { NotLoaded } from './components/NotLoaded.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { findPage, SECTIONS } from './pages.ts';
import { onRegionNames } from './state/region-names.ts';
import { Sections } from './website/sections.ts';

/** Signed-in users never need it, so it loads lazily. */
const SignInPage = lazy(async () => (await import('./pages/SignInPage.tsx')).SignInPage, NotLoaded);

export function App() {
  const address = useAddress();
  const { login, isExpired } = useSession();
  const [path = '/', query = ''] = address.split('?');
  useEffect(() => {
    if (!login) forgetAnswers();
  }, [login]);
  const [, setTurn] = useState(0);
  useEffect(() => onRegionNames(() => setTurn((turn) => turn + 1)), []);
  // A new page begins at the top; filters and periods of the same page keep the scroll position.
  useEffect(() => scrollTo(0, 0), [path]);

  return (
    <Sections.Provider value={SECTIONS}>
      {pageFor()}
      <Announcer key={login?.email} />
    </Sections.Provider>
  );

  function pageFor() {
    const found = findPage(path);
    if (!found) return <NotFoundPage />;
    const { page: Page, parameters, isPublic, needsLogin } = found;
    if (!login && needsLogin) return <SignInPage isExpired={isExpired} />;
    return (
      <Boundary key={path} frame={Frame}>
        <Page parameters={parameters} search={query} isPublic={isPublic} />
      </Boundary>
    );
  }
}
