import { ofDocument } from './dom.ts';
import { isOn } from './settings.ts';
import { local, readItem } from './storage.ts';

/** The name under which a refusal is stored. */
export const REFUSED = 'off';

// Too young for the compiler's list.
type Browser = Navigator & { globalPrivacyControl?: boolean };

/** Written in when the service builds the script: its setting RESPECT_DNT, the default of the tags. */
declare const RESPECT_DNT: boolean;

/**
 * Whether this visitor may be counted. Read again each time: the refusal may come from another tab. The
 * browser's own signals count when the site asks for it; `optIn()` does not overrule them. `isOn` stands there twice
 * because only one of the two is left in the script, usually the shorter.
 */
export const isAllowed = (): boolean =>
  !readItem(local, REFUSED) &&
  !(
    (RESPECT_DNT ? isOn('respectDnt', true) : isOn('respectDnt')) &&
    ((navigator as Browser).globalPrivacyControl || navigator.doNotTrack === '1')
  );

/** Also whether there is a visitor at all: a page may be rendered ahead and never be looked at. */
export const isReady = (): boolean => !ofDocument('prerendering') && isAllowed();
