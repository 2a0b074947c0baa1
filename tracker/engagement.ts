import { isAllowed } from './consent.ts';
import { ofDocument } from './dom.ts';
import { listen } from './guard.ts';
import { push } from './transport.ts';

/** A visitor who does nothing for so long counts as away from then on. */
const IDLE_MS = 60_000;

/** The pageview that is being looked at, as it was sent; empty before the first. */
let shown = '';
let engagedMs = 0;
let reportedS = 0;
let depth = 0;
let lastMs = 0;
let isEngaged = false;
let timer: unknown;

/** Adds the time since the last call if the page was visible and focused. */
const count = (isLeaving?: boolean): void => {
  const nowMs = performance.now();
  if (isEngaged) engagedMs += Math.min(nowMs - lastMs, IDLE_MS);
  lastMs = nowMs;
  isEngaged = !isLeaving && !ofDocument('hidden') && ofDocument('hasFocus').call(document);
  clearTimeout(timer as number);
  timer = setTimeout(reportSeen, IDLE_MS);
};

const measure = (): void => {
  count();
  const { scrollHeight } = ofDocument('documentElement');
  depth = Math.max(depth, Math.min(100, Math.round(((scrollY + innerHeight) / scrollHeight) * 100)));
};

/** Repeats the pageview with what has been seen of it since; the server keeps the greatest values. */
const report = (isLeaving?: boolean): void => {
  count(isLeaving);
  const seconds = Math.round(engagedMs / 1_000);
  if (shown && seconds > reportedS && isAllowed()) {
    reportedS = seconds;
    push(`${shown.slice(0, -1)},"engagedSeconds":${seconds},"scrollDepth":${depth}}`);
  }
};

/** Reports a page that is hidden or left, or that its visitor does not use any more. */
export const reportSeen = (isLeaving?: boolean): void => {
  measure();
  report(isLeaving);
};

/** Reports the pageview before, and begins with another one; without any when there is none. */
export const watchPage = (event: string): void => {
  report();
  shown = event;
  engagedMs = reportedS = depth = 0;
};

export const watchEngagement = (): void => {
  // A press usually comes before an application changes the page.
  for (const name of ['scroll', 'pointerdown', 'keydown'] as const) listen(name, measure);
  for (const name of ['pointermove', 'focus', 'blur', 'visibilitychange'] as const)
    listen(name, () => count());
};
