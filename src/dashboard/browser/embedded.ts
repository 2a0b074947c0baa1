import { applyTheme, THEMES } from './theme.ts';

/** Type of the messages by which an embedding page learns the height. */
const MESSAGE = 'pagemeter:height';
const WIDTH_MIN_PX = 240;

/**
 * Adapts the page to one that embeds it: `theme=light|dark` and `width=PIXELS` of its address, and messages with its height
 * to the embedding page whenever that changes.
 */
export function adaptToEmbedding(): void {
  if (window.parent === window) return;
  const parameters = new URLSearchParams(location.search);
  const root = document.documentElement;
  const theme = THEMES.find((name) => name === parameters.get('theme'));
  if (theme) applyTheme(theme);
  const width = Number(parameters.get('width'));
  if (width >= WIDTH_MIN_PX) root.style.maxWidth = `${width}px`;
  root.style.marginInline = 'auto';
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    window.parent.postMessage({ type: MESSAGE, height }, '*'); // only the origins that may embed it receive it
  }).observe(document.body);
}
