import { record } from './events.ts';
import type { EventProperties } from './index.d.ts';
import { isAuto } from './settings.ts';

/** Written in when the service builds the script: a bound of its own. */
declare const URL_LENGTH_MAX: number;

const DOWNLOAD = /\.(pdf|(doc|xls|ppt)x?|csv|zip|rar|7z|gz|exe|dmg|msi|apk|mp[34])$/i;

/**
 * Records a click on a link, or on an element with a `data-track-event` (D39). It only listens: nothing is
 * prevented or delayed, because requests outlive the page. The path reaches into open shadow roots.
 */
export const trackClick = (event: MouseEvent): void => {
  // The left button and the middle one, which opens a link in a new tab.
  if (!isAuto() || event.button > 1) return;
  const named = find(event, '[data-track-event]');
  const link = find(event, 'a[href],area[href]');
  // There, because the selector has seen it.
  if (named) record(named.dataset.trackEvent as string, namedProperties(named));
  if (link) record('click', linkProperties(link));
};

// The path also holds shadow roots, the document and the window, which have no `matches`.
const find = (event: Event, selector: string) =>
  (event.composedPath() as HTMLElement[]).find((element) => element.matches?.(selector));

/** `data-track-prop-plan="pro"` is the property `plan`. */
const namedProperties = (element: Element): EventProperties => {
  const properties: EventProperties = {};
  for (const { name, value } of element.attributes) {
    const [, key] = name.split('data-track-prop-');
    if (key) properties[key] = value;
  }
  return properties;
};

/** Throws for an address that is none. */
const linkProperties = (link: Element): EventProperties => {
  // An attribute, and there: the property of a link inside an SVG is an object, and the selector has seen it.
  const { protocol, host, pathname, href } = new URL(link.getAttribute('href') as string, document.baseURI);
  const isWeb = /^http/.test(protocol);
  return {
    // Code and data in an address are nobody's business, nor are name and password.
    href: /^(javascript|data|blob):/.test(href)
      ? protocol
      : href.replace(/\/\/[^/?#]+@/, '//').slice(0, URL_LENGTH_MAX),
    text: link.textContent.trim().replace(/\s+/g, ' ').slice(0, 100),
    id: link.id || undefined,
    type:
      link.matches('[download]') || (isWeb && DOWNLOAD.test(pathname))
        ? 'download'
        : isWeb
          ? host === location.host
            ? 'internal'
            : 'outbound'
          : protocol.slice(0, -1),
  };
};
