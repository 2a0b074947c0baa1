import { drawPicture, PICTURE_SCALE } from './picture.ts';

/** A page as an image file, drawn by the browser itself: a copy of its elements with all styles, within an SVG. */

/** Controls, and texts that only the screen needs. */
const LEFT_OUT =
  'dialog, .tools, .page-foot, .chart-tools, .unseen, .menu, .demo-note, [popover], script, style';
/** Maximum pixels of a file; longer pages are drawn less finely. */
const PIXELS_MAX = 16_000_000;
/** Characters that XML does not allow. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** @throws Error when the browser cannot draw it */
export async function toPagePicture(page: Element, title: string, subtitle: string): Promise<Blob> {
  const body = withAncestors(copyOf(page, title, subtitle), page);
  // What is left out makes the page shorter, which only its own window knows.
  const width = document.documentElement.clientWidth;
  const height = heightOf(body, width);
  const text = new XMLSerializer().serializeToString(body).replace(NOT_XML, '');
  const scale = width * height * PICTURE_SCALE ** 2 > PIXELS_MAX ? 1 : PICTURE_SCALE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}" style="color-scheme:${schemeOf()}"><style>${escapeXml(styles())}</style><foreignObject width="100%" height="100%">${text}</foreignObject></svg>`;
  return drawPicture(svg, width * scale, height * scale);
}

function copyOf(page: Element, title: string, subtitle: string): Element {
  const copy = page.cloneNode(true) as Element; // a clone has the same type
  for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
  const head = document.createElement('h1');
  const dates = document.createElement('span');
  head.textContent = title;
  dates.textContent = subtitle;
  dates.className = 'picture-dates';
  head.append(dates);
  copy.prepend(head);
  return copy;
}

/** Puts a copy into empty copies of the elements around the original, because styles may name them. */
function withAncestors(copy: Element, original: Element): Element {
  const around = original.parentElement;
  if (!around || around === document.documentElement) return copy;
  const shell = around.cloneNode(false) as Element; // a clone has the same type
  shell.append(copy);
  return withAncestors(shell, around);
}

function heightOf(body: Element, width: number): number {
  const probe = document.createElement('div');
  probe.style.cssText = `position:absolute;visibility:hidden;left:0;top:0;width:${width}px`;
  probe.append(...[...body.children].map((child) => child.cloneNode(true)));
  document.body.append(probe);
  const { height } = probe.getBoundingClientRect();
  probe.remove();
  return Math.ceil(height);
}

function styles(): string {
  const texts = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(textOf));
  return `${texts.join('\n')} *{animation:none!important;transition:none!important}`;
}

/** Text of a rule. Conditions are those of the window, because a picture has other sizes. */
function textOf(rule: CSSRule): string {
  if (!(rule instanceof CSSMediaRule)) return rule.cssText;
  return matchMedia(rule.conditionText).matches ? [...rule.cssRules].map(textOf).join('\n') : '';
}

function schemeOf(): 'dark' | 'light' {
  const { colorScheme } = getComputedStyle(document.documentElement);
  if (colorScheme === 'dark' || colorScheme === 'light') return colorScheme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
