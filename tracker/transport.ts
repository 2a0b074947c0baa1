import { ofDocument } from './dom.ts';
import { endpoint } from './endpoint.ts';
import { attempt, log } from './guard.ts';
import { keep, takeLeftovers } from './leftovers.ts';
import { eventsToRepeat, pauseMs } from './outcome.ts';
import { post } from './post.ts';
import { chunkBytes, takeChunk } from './queue.ts';
import { here, scriptUrl, setting } from './settings.ts';
import { adopt } from './storage.ts';

/** Written in when the service builds the script: bounds that it shares. */
declare const TRACKER_BATCH_EVENTS: number;
declare const TRACKER_CHUNK_BYTES_MAX: number;
declare const TRACKER_FLUSH_INTERVAL_MS: number;

/** Events, JSON texts from here on, that wait; and those that are on their way. */
let queue: string[] = [];
let flying: string[] = [];

/** Sizes of the next chunks while one that was not stored is being halved. */
const sizes: number[] = [];

/**
 * Events that made the server fail when they went alone. They wait behind all others, as long as these fail; once
 * another one has been stored they have a pause of their own, and delay no others.
 */
let bad: string[] = [];

let failures = 0;

/** The timer that counts, while events wait for their turn or, after a failure, for better times. */
let timer: object | undefined;

/** Callbacks that wait until nothing is left or an attempt has failed. */
const waiting: (() => void)[] = [];

/** Undefined when the configured address is none: then nothing is sent until `init()` brings a better one. */
const address = (isBatch?: boolean): string =>
  // The cast: the caller has checked before, and for leftovers no address is one like any other.
  attempt(() => endpoint(setting('apiUrl', 'api') as string, scriptUrl, here(), isBatch)) as string;

/**
 * An attempt follows another by this timer only, so that a document whose timers never come makes no further one: in
 * Chromium a document that is gone (a removed frame, a page evicted from the back-forward cache) runs on, its
 * `setTimeout` answers 0 and its `fetch` fails at once. What `setTimeout` answers is therefore not asked.
 */
const arm = (delayMs: number): void => {
  const own = {};
  attempt(() => setTimeout(() => own === timer && flush(), delayMs));
  timer = own;
};

const release = (): void => {
  for (const resolve of waiting.splice(0)) resolve();
};

/** Takes over what this page and, while it is looked at, others have put aside. */
const reclaim = (): void => {
  queue = [...new Set([...takeLeftovers(address()), ...queue])].filter((event) => !flying.includes(event));
};

/**
 * Puts aside what is not sent and, where it is doubtful that it arrives, what is on its way as well. What is stored is
 * no longer in the queue: another page of the site may take it over.
 */
const putAside = (isDoubtful: unknown): void => {
  if (failures) queue.push(...bad.splice(0));
  queue.splice(0, keep(address(), isDoubtful ? [...queue, ...flying] : queue));
};

const send = async (chunk: string[], isLeaving: boolean | undefined, isBad: boolean): Promise<void> => {
  flying.push(...chunk);
  // After a failure the next try goes without keepalive: the budget may be used up by the page itself or by one
  // giant event, and some browsers refuse it together with a preflight. A page that leaves has no other way.
  const answer = await post(address(chunk.length > 1), chunk, isLeaving || !failures);

  adopt(answer[1]);
  // No caller waits for it any more: the page was restored meanwhile, or the visitor opted out.
  if (!flying.includes(chunk[0] as string)) return;
  reclaim();
  flying = flying.filter((event) => !chunk.includes(event));

  const [status] = answer;
  const again = attempt(() => eventsToRepeat(chunk, answer)) ?? [];
  log(answer, chunk);
  // The server failed at what it was sent, rather than altogether; it stores other events.
  const isServer = status === 207 || (status > 499 && status !== 503);
  failures = again[0] && !(isServer && again.length < chunk.length + +isBad) ? failures + 1 : 0;
  if (chunk[1] && (failures ? isServer : status > 299)) {
    const half = (chunk.length + 1) >> 1;
    sizes.unshift(half, half);
    queue.unshift(...chunk);
  } else if (isServer) bad.push(...again);
  else queue.unshift(...again);
  if (failures || !queue[0]) release();
  if (queue[0] || bad[0]) arm(failures || !queue[0] ? pauseMs(failures || 6, answer) : 0);
  if (ofDocument('hidden')) putAside(true);
};

/**
 * Makes the next attempt, unless one is under way. When the page is hidden or left, perhaps for good, what the budget
 * of keepalive requests holds is sent side by side; when sending fails, nothing, but one request as a trial when the
 * page is left.
 */
export const proceed = (isLeaving?: boolean, isLast?: boolean): void => {
  reclaim();
  let roomBytes = (isLeaving ? failures && !isLast : flying[0])
    ? 0
    : TRACKER_CHUNK_BYTES_MAX - chunkBytes(flying);
  while (roomBytes > 0 && (queue[0] || bad[0]) && navigator.onLine && address()) {
    const isBad = !queue[0] && !failures;
    const chunk = queue[0]
      ? takeChunk(queue, roomBytes, sizes.shift() ?? TRACKER_BATCH_EVENTS)
      : bad.splice(0, 1);
    roomBytes -= failures || !isLeaving ? roomBytes : chunkBytes(chunk);
    if (roomBytes < 0) queue.unshift(...chunk);
    else send(chunk, isLeaving, isBad);
  }
  if (!flying[0]) release();
  // A hidden page lives for an unknown time: one that is being closed may still count as online. But
  // usually what a leaving page sends arrives. To keep it as well would send it twice at each step to another page.
  if (isLeaving || ofDocument('hidden')) putAside(!isLeaving || failures);
};

/** Sends everything now, whatever pause is on. Resolves when nothing is left or an attempt failed. */
export const flush = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    timer = undefined;
    proceed();
  });

/** How often events began to wait. The first event of a page goes at once, with what is recorded in the same task. */
let waits = 0;

export const push = (event: string): void => {
  // A timer of the bad ones is nothing to wait for.
  if (!timer || (!queue[0] && !failures)) arm(waits++ && TRACKER_FLUSH_INTERVAL_MS);
  queue.push(event);
  if (queue.length >= TRACKER_BATCH_EVENTS && !failures) flush();
};

/**
 * The page is shown again. After the back-forward cache a request of before never settles in Firefox and
 * Safari, where waiting for it would block the queue for ever; it counts as delivered.
 */
export const comeBack = (): void => {
  flying = [];
  flush();
};

/** Forgets everything that is not sent. */
export const clear = (): void => {
  flying = [];
  queue = [];
  bad = [];
  release();
};
