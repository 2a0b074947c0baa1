import { isOn } from './settings.ts';
import { local, readItem } from './storage.ts';

/** The name under which a refusal is stored. */
export const REFUSED = 'off';

// Both too young for the compiler's list.
type Browser = Navigator & { globalPrivacyControl?: boolean };
type Page = Document & { prerendering?: boolean };

/**
 * Whether this visitor may be counted (D40). Read anew each time: the refusal may come from another tab. The
 * browser's own signals count when the site asks for it; `optIn()` does not overrule them.
 */
export const isAllowed = (): boolean =>
  !readItem(local, REFUSED) &&
  !(isOn('respectDnt') && (navigator.doNotTrack === '1' || (navigator as Browser).globalPrivacyControl));

/** Also whether there is a visitor at all: a page may be rendered ahead and never be looked at. */
export const isReady = (): boolean => !(document as Page).prerendering && isAllowed();
