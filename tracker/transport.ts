import {
  TRACKER_BATCH_EVENTS,
  TRACKER_CHUNK_BYTES_MAX,
  TRACKER_FLUSH_INTERVAL_MS,
} from '../src/contract/vocabulary.ts';
import { endpoint } from './endpoint.ts';
import { attempt, log } from './guard.ts';
import { isTaken, keep, takeLeftovers } from './leftovers.ts';
import { eventsToRepeat, pauseMs } from './outcome.ts';
import { post } from './post.ts';
import { chunkBytes, takeChunk } from './queue.ts';
import { here, scriptUrl, setting } from './settings.ts';

/** Events, JSON texts from here on, that wait; and the chunks of them that are on their way. */
let queue: string[] = [];
const flying = new Set<string[]>();

/** Sizes of the next chunks while a refused batch is being halved. */
const sizes: number[] = [];

/** What is stored in case that the page, which is hidden, does not live to send it. */
let aside: string[] = [];

let failures = 0;

/** The timer that counts, while events wait for their turn or, after a failure, for better times. */
let timer: object | undefined;

/** Those who wait until nothing is left or an attempt has failed. */
const waiting: (() => void)[] = [];

/** Empty when the configured address is none: then nothing is sent until `init()` brings a better one. */
const address = (isBatch?: boolean) =>
  attempt(() => endpoint(setting('apiUrl', 'TRACKER_API', 'api') as string, scriptUrl, here(), isBatch)) ??
  '';

const canSend = () => queue[0] && navigator.onLine && address();

/**
 * An attempt follows another by this timer only, so that a document whose timers never come makes no further one: in
 * Chromium a document that is gone (a removed frame, a page evicted from the back-forward cache) runs on, its
 * `setTimeout` answers 0 and its `fetch` fails at once. What `setTimeout` answers is therefore not asked.
 */
const arm = (delayMs: number): void => {
  if (timer) return;
  const own = {};
  attempt(() => setTimeout(() => own === timer && proceed(), delayMs));
  timer = own;
};

const release = (): void => {
  for (const resolve of waiting.splice(0)) resolve();
};

// After three failures in a row events go one by one: one of them may be the cause.
const nextChunk = (bytesMax: number) =>
  takeChunk(queue, bytesMax, failures > 2 ? 1 : (sizes.shift() ?? TRACKER_BATCH_EVENTS));

/** What another page of the site has taken over is no longer for this one to send. */
const dropTaken = (): void => {
  const taken = new Set(isTaken(address()) ? aside : []);
  queue = queue.filter((event) => !taken.has(event));
};

/** Takes over what this page and others have put aside, unless this one is hidden and may end at any moment. */
const reclaim = (): void => {
  dropTaken();
  if (document.hidden) return;
  aside = [];
  const known = new Set([queue, ...flying].flat());
  queue.unshift(...takeLeftovers(address()).filter((event) => !known.has(event)));
};

/**
 * Puts aside what is not sent and, where it is doubtful that it arrives, what is on its way as well. By one
 * write: a browser was seen to end a page between the removal of the old and the writing of the new.
 */
const putAside = (isDoubtful: unknown): void => {
  aside = keep(address(), isDoubtful ? [...flying, queue].flat() : queue);
};

const send = async (chunk: string[], isLeaving?: boolean): Promise<void> => {
  flying.add(chunk);
  // After a failure the next try goes without keepalive: the budget may be used up by the page itself or by one
  // giant event, and some browsers refuse it together with a preflight. A page that leaves has no other way.
  const answer = await post(address(chunk.length > 1), chunk, isLeaving || !failures);

  // Nobody waits for it any more: the page was restored meanwhile, or the visitor opted out.
  if (!flying.has(chunk)) return;
  timer = undefined;
  reclaim();
  flying.delete(chunk);

  const [status] = answer;
  const again = attempt(() => eventsToRepeat(chunk, answer)) ?? [];
  log(answer, chunk);
  failures = again.length ? failures + 1 : 0;
  if (failures) {
    // The one event that makes the server fail waits behind all others.
    queue[status >= 500 && failures > 3 ? 'push' : 'unshift'](...again);
  } else if (status >= 300 && chunk[1]) {
    const half = (chunk.length + 1) >> 1;
    sizes.unshift(half, half);
    queue.unshift(...chunk);
  }
  if (failures || !queue[0]) release();
  if (queue[0]) arm(failures && pauseMs(failures, answer));
  keepWhileHidden();
};

// Nobody knows how long a hidden page lives: one that is being closed may still be told that it is online.
const keepWhileHidden = (): void => {
  if (document.hidden) putAside(true);
};

/** Makes the next attempt, whatever pause is on, unless one is under way. */
const proceed = (): void => {
  timer = undefined;
  reclaim();
  if (!flying.size) {
    if (canSend()) send(nextChunk(TRACKER_CHUNK_BYTES_MAX));
    else release();
  }
  keepWhileHidden();
};

/** Sends everything now. Resolves when nothing is left or an attempt failed. */
export const flush = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    proceed();
  });

export const push = (event: string): void => {
  queue.push(event);
  arm(TRACKER_FLUSH_INTERVAL_MS);
  if (queue.length >= TRACKER_BATCH_EVENTS && !failures) proceed();
};

/**
 * The page is hidden or left, perhaps for good. What the budget of keepalive requests holds is sent side by side; when
 * sending fails, nothing, but one request as a trial when the page is left. The rest is put aside.
 */
export const leave = (isLast?: boolean): void => {
  dropTaken();
  let budgetBytes = failures && !isLast ? 0 : TRACKER_CHUNK_BYTES_MAX - chunkBytes([...flying]);
  while (canSend() && budgetBytes > 0) {
    const chunk = nextChunk(budgetBytes);
    budgetBytes -= failures ? budgetBytes : chunkBytes(chunk);
    if (budgetBytes < 0) queue.unshift(...chunk);
    else send(chunk, true);
  }
  // Usually what a leaving page sends arrives. To keep it as well would send it twice at each step to another page.
  putAside(failures);
};

/**
 * The page is shown again. After the back-forward cache a request of before never settles in Firefox and
 * Safari, where waiting for it would block the queue for ever; it counts as delivered.
 */
export const comeBack = (): void => {
  flying.clear();
  proceed();
};

/** Forgets everything that is not sent. */
export const clear = (): void => {
  queue = [];
  flying.clear();
  release();
};
