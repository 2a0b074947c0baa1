import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { toPlace } from '../api/place.ts';
import { useProfile } from '../api/use-profile.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Frame } from '../components/Frame.tsx';
import { Problem } from '../components/Problem.tsx';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** How often a page that could not be loaded looks whether the server is back. */
const LOOK_EVERY_MS = 3_000;

/** A page whose code is fetched when it is first opened. Until then, and without it, its frame is there. */
export function lazyPage(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined;
  return function LazyPage(props: PageProps) {
    const [, setTurn] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (page) => {
          loaded = page;
          setTurn(1);
        },
        () => setFailed(true),
      );
    }, []);
    if (loaded) {
      const Page = loaded;
      return <Page {...props} />;
    }
    return (
      <PageFrame {...props}>
        <div class="page" aria-busy={!hasFailed}>
          {hasFailed && <NotLoaded />}
        </div>
      </PageFrame>
    );
  };
}

function PageFrame({ parameters, isPublic, children }: PageProps & { children: ComponentChildren }) {
  if (!parameters.websiteId) return <Frame>{children}</Frame>;
  return <FrameOfWebsite place={toPlace(parameters.websiteId, isPublic)}>{children}</FrameOfWebsite>;
}

function FrameOfWebsite({ place, children }: Omit<Parameters<typeof WebsiteFrame>[0], 'profile'>) {
  const profile = useProfile(place);
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      {children}
    </WebsiteFrame>
  );
}

/** After an update the files of before are gone; loading the page anew brings the new ones. */
export function NotLoaded() {
  useEffect(() => {
    const timer = setInterval(() => {
      fetch(toHref('/api/health')).then(
        () => location.reload(),
        () => {}, // still away
      );
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Problem
      fault={
        new ApiError(
          0,
          'UNREACHABLE',
          'This page could not be loaded. It appears as soon as the server answers.',
        )
      }
      onRetry={() => location.reload()}
    />
  );
}
