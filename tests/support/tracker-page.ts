import { Window as HappyWindow } from 'happy-dom';
import { buildTrackerScript } from '../../src/assets/tracker-script.ts';
import type { TrackerEvent } from '../../tracker/index.d.ts';

export const CODE = 'pm-test-1700000000000';
export const SCRIPT_URL = 'https://stats.example/tracker.js';
export const EVENTS_URL = 'https://stats.example/api/v1/events';

/** Saturday, 1 June 2024, noon in UTC. */
export const START_MS = 1_717_243_200_000;

const textOf = async (respectDnt: boolean) =>
  new TextDecoder().decode((await buildTrackerScript({ respectDnt })).body);
const [script, respectful] = await Promise.all([textOf(false), textOf(true)]);

export type Request = {
  url: string;
  keepalive: boolean;
  init: RequestInit;
  body: string;
  /** The clock of the sender. */
  sentAt: number;
  events: TrackerEvent[];
};

/**
 * An answer of the fake server: a status, a whole response, `cut` for a network failure, `hang` for nothing until the
 * request is given up, `never` for nothing at all, `throw` when `fetch` itself throws.
 */
export type Answer = number | Response | 'cut' | 'hang' | 'never' | 'throw';

export type PageOptions = {
  url?: string;
  html?: string;
  referrer?: string;
  /** Attributes of the script's tag; null when the page does not tell which script is running. */
  tag?: Record<string, string> | null;
  globals?: Record<string, unknown>;
  navigator?: Record<string, unknown>;
  document?: Record<string, unknown>;
  /** Storage that is shared with another page of the same site; `blocked` throws, as in a sandboxed frame. */
  localStorage?: Storage | 'blocked' | null;
  sessionStorage?: Storage | 'blocked' | null;
  answer?: (request: Request, index: number) => Answer;
  random?: number;
  /** The script of a service with RESPECT_DNT=on. */
  respectDnt?: boolean;
  /** In place of the script. */
  text?: string;
};

/**
 * A page in happy-dom that runs the built script with a fake clock and a fake server. `with` makes the page's
 * window the script's global object, getters that throw included.
 */
export function openPage(options: PageOptions = {}) {
  const happy = new HappyWindow({ url: options.url ?? 'https://site.example/start' });
  // happy-dom's own types are not the browser's, which the tracker is written for.
  const window = happy as unknown as Window & typeof globalThis & Record<string, unknown>;
  const { document } = window;
  document.body.innerHTML = options.html ?? '';

  const clock = createClock();
  const requests: Request[] = [];
  const released: (() => void)[] = [];
  let answer = options.answer ?? (() => 201);

  const replace = (target: object, values: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(values)) {
      const get =
        value === 'blocked'
          ? () => {
              throw new DOMException('denied', 'SecurityError');
            }
          : () => value;
      Object.defineProperty(target, name, { get, set: () => {}, configurable: true });
    }
  };
  const respond = async (given: Exclude<Answer, 'throw'>, init: RequestInit): Promise<Response> => {
    if (given === 'never') return new Promise(() => {});
    if (given === 'hang') {
      await new Promise<void>((resolve, reject) => {
        released.push(resolve);
        const { timeoutMs } = init.signal as unknown as { timeoutMs: number };
        clock.setTimeout(() => reject(new DOMException('signal timed out', 'TimeoutError')), timeoutMs);
      });
      return new Response('{}', { status: 201 });
    }
    if (given === 'cut') throw new TypeError('Failed to fetch');
    return typeof given === 'object' ? given : new Response(given === 204 ? null : '{}', { status: given });
  };
  const storages = Object.fromEntries(
    (['localStorage', 'sessionStorage'] as const)
      .filter((name) => options[name] !== undefined)
      .map((name) => [name, options[name]]),
  );
  replace(window, {
    ...storages,
    setTimeout: clock.setTimeout,
    clearTimeout: clock.clearTimeout,
    AbortSignal: { timeout: (timeoutMs: number) => ({ timeoutMs }) },
    Date: { now: clock.now, parse: Date.parse },
    Math: Object.assign(Object.create(Math), { random: () => options.random ?? 1 }),
    fetch: (url: string, init: RequestInit): Promise<Response> => {
      const body = `${init.body}`;
      const { sentAt, ...parsed } = attemptParse(body);
      const events = parsed.events ?? [parsed];
      const request = { url, keepalive: !!init.keepalive, init, body, sentAt, events };
      requests.push(request);
      const given = answer(request, requests.length - 1);
      if (given === 'throw') throw new TypeError('fetch is out of order');
      return respond(given, init);
    },
  });
  replace(window.navigator, options.navigator ?? {});
  for (const [name, value] of Object.entries(options.globals ?? {})) {
    Object.defineProperty(window, name, { value, writable: true, configurable: true });
  }
  const tag = options.tag === undefined ? { 'data-tracking-code': CODE } : options.tag;
  replace(window.Document.prototype, { referrer: options.referrer ?? '', ...options.document });

  /** Runs the script; again for a second tag on the same page. */
  const run = (attributes = tag) => {
    replace(window.Document.prototype, { currentScript: attributes && createTag(document, attributes) });
    new Function('window', `with (window) {${options.text ?? (options.respectDnt ? respectful : script)}}`)(
      window,
    );
  };
  run();

  return {
    window,
    document,
    clock,
    requests,
    run,
    get tracker() {
      return window.AnalyticsTracker;
    },
    /** Content of the local storage of the site. */
    get stored(): Record<string, string> {
      return { ...window.localStorage };
    },
    /** Everything that has been sent, in order. */
    get events(): TrackerEvent[] {
      return requests.flatMap(({ events }) => events);
    },
    /** How many events each request carried. */
    get sizes(): number[] {
      return requests.map(({ events }) => events.length);
    },
    answerWith(next: NonNullable<PageOptions['answer']> | Answer) {
      answer = typeof next === 'function' ? next : () => next;
    },
    /** Lets requests that hang be answered after all. */
    release() {
      for (const resolve of released.splice(0)) resolve();
      return this.pass(0);
    },
    /** Lets time pass: timers fire in their order, answers arrive between them. */
    async pass(ms: number) {
      await settled();
      await clock.advance(ms);
    },
    async flush() {
      const sent = window.AnalyticsTracker.flush();
      await this.pass(0);
      await sent;
    },
    /** The page is hidden, as when the visitor changes to another tab. */
    hide() {
      replace(window.Document.prototype, { hidden: true, visibilityState: 'hidden' });
      document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }));
    },
    show() {
      replace(window.Document.prototype, { hidden: false, visibilityState: 'visible' });
      document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }));
    },
    /** The page is left: still visible at first, then hidden. */
    leave() {
      window.dispatchEvent(new window.Event('pagehide'));
      this.hide();
    },
    /** The page comes back from the back-forward cache. */
    restore() {
      window.dispatchEvent(Object.assign(new window.Event('pageshow'), { persisted: true }));
      this.show();
    },
    setOnline(isOnline: boolean) {
      replace(window.navigator, { onLine: isOnline });
      window.dispatchEvent(new window.Event(isOnline ? 'online' : 'offline'));
    },
  };
}

export type Page = ReturnType<typeof openPage>;

function createTag(document: Document, { src = SCRIPT_URL, ...attributes }: Record<string, string>) {
  const element = Object.assign(document.createElement('script'), { type: 'text/plain' });
  Object.defineProperty(element, 'src', { get: () => src });
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function attemptParse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Until everything that was answered has been dealt with; no time passes. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

function createClock() {
  let nowMs = START_MS;
  let lastId = 0;
  const timers = new Map<number, { atMs: number; work: () => void }>();
  const next = (untilMs: number) =>
    [...timers.entries()]
      .filter(([, { atMs }]) => atMs <= untilMs)
      .sort(([, a], [, b]) => a.atMs - b.atMs)[0];
  return {
    now: () => nowMs,
    setTimeout(work: () => void, delayMs = 0) {
      lastId++;
      timers.set(lastId, { atMs: nowMs + delayMs, work });
      return lastId;
    },
    clearTimeout(id?: number) {
      if (id) timers.delete(id);
    },
    async advance(ms: number) {
      const untilMs = nowMs + ms;
      for (let due = next(untilMs); due; due = next(untilMs)) {
        const [id, { atMs, work }] = due;
        timers.delete(id);
        nowMs = Math.max(nowMs, atMs);
        work();
        await settled();
      }
      nowMs = untilMs;
    },
  };
}
