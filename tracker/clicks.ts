import { attribute, matches, ofDocument } from './dom.ts';
import { record } from './events.ts';
import type { EventProperties } from './index.d.ts';
import { isAuto, isOn, withoutFragment } from './settings.ts';

/** Written in when the service builds the script. */
declare const URL_LENGTH_MAX: number;
declare const FORM_EVENT: string;

const DOWNLOAD = /\.(pdf|(doc|xls|ppt)x?|csv|zip|rar|7z|gz|exe|dmg|msi|apk|mp[34])$/i;

/**
 * Records a click on a link, or on an element with a `data-track-event`. It only listens: nothing is
 * prevented or delayed, because requests outlive the page. The path reaches into open shadow roots.
 */
export const trackClick = (event: MouseEvent): void => {
  // The left button and the middle one, which opens a link in a new tab.
  if (!isAuto() || event.button > 1) return;
  const named = find(event, NAMED);
  const link = find(event, 'a[href],area[href]');
  // There, because the selector has seen it.
  // The submission of a form is what is named, not a click in it.
  if (named && !matches(named, 'form')) recordNamed(named);
  if (link) record('click', linkProperties(link));
};

/** By an attribute; or by a class, where a content system allows no attributes: `pm-event=Sign+up`. */
const NAMED = '[data-track-event],[class*="pm-event="]';
const recordNamed = (element: HTMLElement): void =>
  record(
    // One of the two is there, because the selector has seen it. The class of an SVG is an object.
    attribute(element, 'data-track-event') ??
      (
        (/pm-event=(\S+)/.exec(attribute(element, 'class') as string) as RegExpExecArray)[1] as string
      ).replace(/\+/g, ' '),
    namedProperties(element),
  );

/** Records that a form was submitted: by its name, or where the tag asks for all of them. */
export const trackSubmit = ({ target: form }: Event & { target: HTMLElement }): void => {
  if (isAuto())
    if (matches(form, NAMED)) recordNamed(form);
    else if (isOn('forms')) record(FORM_EVENT, { id: attribute(form, 'id') });
};

// The path also holds shadow roots, the document and the window.
const find = (event: Event, selector: string) =>
  (event.composedPath() as HTMLElement[]).find(
    (element) => element instanceof Element && matches(element, selector),
  );

/** `data-track-prop-plan="pro"` is the property `plan`. */
const namedProperties = (element: Element): EventProperties => {
  const properties: EventProperties = {};
  for (const { name, value } of Reflect.get(Element.prototype, 'attributes', element)) {
    const key = name.split('data-track-prop-')[1];
    if (key) properties[key] = value;
  }
  return properties;
};

/** Throws for an address that is none. */
const linkProperties = (link: Element): EventProperties => {
  // An attribute, and there: the property of a link inside an SVG is an object, and the selector has seen it.
  const { protocol, host, pathname, href } = new URL(
    attribute(link, 'href') as string,
    ofDocument('baseURI'),
  );
  const isWeb = /^http/.test(protocol);
  return {
    // Code and data in an address are private, as are name and password.
    href: /^(javascript|data|blob)/.test(protocol)
      ? protocol
      : withoutFragment(href.replace(/\/\/[^/?#]+@/, '//')).slice(0, URL_LENGTH_MAX),
    text: link.textContent.trim().replace(/\s+/g, ' ').slice(0, 100),
    id: link.id || undefined,
    type:
      link.hasAttribute('download') || (isWeb && DOWNLOAD.test(pathname))
        ? 'download'
        : isWeb
          ? host === location.host
            ? 'internal'
            : 'outbound'
          : protocol.slice(0, -1),
  };
};
