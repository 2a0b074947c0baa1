import type { ComponentChildren } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Website } from '../../contract/website.ts';
import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { DEMO_DOMAIN } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { navigate, useAddress } from '../browser/router.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';
import { Menu } from '../components/Menu.tsx';
import { addressIn, addressOfWebsite } from '../state/kept-view.ts';
import { hasRole, isShown, OwnAccess } from '../state/own-access.ts';
import { useDigits } from '../state/shortcuts.ts';
import { DemoNote } from './DemoNote.tsx';
import { Sections } from './sections.ts';

type Props = { place: Place; profile: WebsiteProfile | undefined; children: ComponentChildren };

/** Frame of every page of a website: its name, a menu of the others, and its sections. */
export function WebsiteFrame({ place, profile, children }: Props) {
  const [path = ''] = useAddress().split('?');
  const rest = path.slice(place.base.length);
  const sections = useContext(Sections).filter(({ isPublic, path }) =>
    place.isPublic ? isPublic : isForUser(path, profile),
  );
  const navigation = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const current = navigation.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [path]);
  return (
    <Frame
      head={
        !place.withLogin ? (
          <bdi class="website-name">{profile?.name}</bdi>
        ) : (
          <WebsiteSwitcher name={profile?.name} current={place.websiteId} />
        )
      }
    >
      <nav ref={navigation} class="sections" aria-label="Website">
        {sections.map((section) => (
          <Link
            key={section.path}
            to={addressIn(place, section.path)}
            aria-current={isAt(section.path, rest) ? 'page' : undefined}
          >
            {section.name}
          </Link>
        ))}
      </nav>
      <OwnAccess.Provider value={profile}>{children}</OwnAccess.Provider>
      {profile?.domain === DEMO_DOMAIN && (
        <DemoNote websiteId={place.websiteId} mayDelete={profile.isOwner && !place.isPublic} />
      )}
    </Frame>
  );
}

/** Whether a section has anything for the user, by their role and what is hidden from them. */
function isForUser(section: string, profile: WebsiteProfile | undefined): boolean {
  if (section === '/settings') return hasRole(profile, 'editor');
  return section !== '/visits' || isShown(profile, 'visitors');
}

function isAt(section: string, rest: string): boolean {
  return section === '' ? rest === '' || rest === '/' : rest === section || rest.startsWith(`${section}/`);
}

/** Number of websites with a digit key. */
const DIGITS = 9;

function WebsiteSwitcher({ name, current }: { name: string | undefined; current: string }) {
  const { answer } = useAnswer('websites list', (signal) =>
    call<{ websites: Website[] }>('GET', '/websites', { signal }),
  );
  useDigits((digit) => {
    const website = answer?.websites[digit - 1];
    if (website) navigate(addressOfWebsite(website.id));
  });
  return (
    <Menu
      label={<bdi class="website-name">{name ?? '\u00a0'}</bdi>}
      {...(name === undefined && { name: 'Websites' })}
      class="website-menu"
    >
      {answer?.websites.map((website, index) => (
        <Link
          key={website.id}
          to={addressOfWebsite(website.id)}
          aria-current={website.id === current ? 'true' : undefined}
        >
          <bdi>{website.name}</bdi> {index < DIGITS && <kbd>{index + 1}</kbd>}
        </Link>
      ))}
      <hr />
      <Link to="/">All websites</Link>
      {(answer?.websites.length ?? 0) > 1 && (
        <Link to={addressOfWebsite('all')} aria-current={current === 'all' ? 'true' : undefined}>
          All as one
        </Link>
      )}
    </Menu>
  );
}
