import type { ComponentChildren } from 'preact';
import { toPlace } from '../api/place.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Frame } from '../components/Frame.tsx';
import { NotLoaded } from '../components/NotLoaded.tsx';
import { WebsiteFrame } from './WebsiteFrame.tsx';

/** The frame of a page whose code is not loaded yet. */
export function WaitingPage({ hasFailed, ...props }: PageProps & { hasFailed: boolean }) {
  return (
    <PageFrame {...props}>
      <div class="page" aria-busy={!hasFailed}>
        <NotLoaded hasFailed={hasFailed} />
      </div>
    </PageFrame>
  );
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
