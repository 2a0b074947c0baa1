import { afterEach, describe, expect, test } from 'bun:test';
import type { Viewer } from '../../src/metrics/live/stream-places.ts';
import { createLiveStreams, type Watch } from '../../src/metrics/live/streams.ts';
import type { CancelSignal } from '../../src/process/turns.ts';
import { unavailableError } from '../../src/vocabulary/errors.ts';

const errors: unknown[] = [];
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
});

/** Streams whose pauses end when the test says so. */
function startStreams(streamsMax = 10) {
  const pauses: (() => void)[] = [];
  let nowMs = 0;
  const streams = createLiveStreams({
    streamsMax,
    onError: (error) => errors.push(error),
    monotonicMs: () => nowMs,
    pause: (_, signal) =>
      new Promise<void>((resolve) => {
        pauses.push(resolve);
        signal.addEventListener('abort', () => resolve());
        if (signal.aborted) resolve();
      }),
  });
  /** Two seconds later, when everything that was waiting has run. */
  async function tick(): Promise<void> {
    nowMs += 2_000;
    for (const resume of pauses.splice(0)) resume();
    await Bun.sleep(0);
  }
  return { ...streams, tick };
}

/** Something to watch whose counts can be changed. */
function createWatched(key = 'k') {
  const state = { visitors: 1, isAllowed: true, readings: 0 };
  const gone = new AbortController();
  const watch: Watch = {
    key,
    viewer: { account: key },
    signal: gone.signal,
    mayStay: async () => state.isAllowed,
    async read() {
      state.readings += 1;
      const { visitors, readings } = state;
      return { text: JSON.stringify({ visitors, at: readings }), news: String(visitors) };
    },
  };
  return { state, watch, gone };
}

/** Collects what a stream has sent so far; `null` at the end of it. */
async function follow(opened: Promise<Response>) {
  const response = await opened;
  const chunks: (string | null)[] = [];
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  async function pump(): Promise<void> {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      chunks.push(done ? null : decoder.decode(value));
      if (done) return;
    }
  }
  void pump();
  await Bun.sleep(0);
  return { response, chunks, cancel: () => reader?.cancel() };
}

const snapshot = (visitors: number, at: number) =>
  `event: snapshot\ndata: {"visitors":${visitors},"at":${at}}\n\n`;
const FIRST = `retry: 2000\n${snapshot(1, 1)}`;

describe('a live stream', () => {
  test('begins with a snapshot and says how it wants to be handed on', async () => {
    const { open } = startStreams();
    const { response, chunks } = await follow(open(createWatched().watch));
    expect(chunks).toEqual([FIRST]);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  test('sends another one when it differs, and only then', async () => {
    const { open, tick } = startStreams();
    const { state, watch } = createWatched();
    const { chunks } = await follow(open(watch));
    await tick();
    expect(chunks).toEqual([FIRST]);
    state.visitors = 2;
    await tick();
    expect(chunks).toEqual([FIRST, snapshot(2, 3)]);
  });

  test('sends a comment after 14 quiet seconds', async () => {
    const { open, tick } = startStreams();
    const { chunks } = await follow(open(createWatched().watch));
    for (let count = 0; count < 6; count += 1) await tick();
    expect(chunks).toEqual([FIRST]);
    await tick();
    expect(chunks).toEqual([FIRST, ': still here\n\n']);
  });

  test('ends when the credentials or the website are gone', async () => {
    const { open, tick } = startStreams(1);
    const { state, watch } = createWatched();
    const { chunks } = await follow(open(watch));
    state.isAllowed = false;
    state.visitors = 2;
    await tick();
    expect(chunks).toEqual([FIRST, 'event: end\ndata: {}\n\n', null]);
    expect((await open(createWatched().watch)).status).toBe(200);
  });

  test.each([
    ['cancels', ({ cancel }: { cancel: () => unknown }) => cancel()],
    ['goes away', (_: unknown, gone: AbortController) => gone.abort()],
  ])('asks nothing more when the client %s, and gives its place back', async (_, leave) => {
    const { open, tick } = startStreams(1);
    const { state, watch, gone } = createWatched();
    const followed = await follow(open(watch));
    await leave(followed, gone);
    await tick();
    await tick();
    expect(state.readings).toBe(1);
    expect((await open(createWatched().watch)).status).toBe(200);
  });

  test('ends when the service stops, and none is opened afterwards', async () => {
    const { open, close } = startStreams();
    const { chunks } = await follow(open(createWatched().watch));
    close();
    await Bun.sleep(0);
    expect(chunks).toEqual([FIRST, null]);
    await expect(open(createWatched().watch)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('sends nothing more to a client that does not read', async () => {
    const { open, tick } = startStreams(1);
    const { watch, state } = createWatched();
    const text = 'x'.repeat(100_000);
    let count = 0;
    const read = async () => {
      count += 1;
      return { text, news: String(count) };
    };
    await open({ ...watch, read });
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(count).toBeLessThan(6);
    expect(state.readings).toBe(0);
    expect((await open(createWatched('other').watch)).status).toBe(200);
  });
});

describe('many live streams', () => {
  test('of the same question share it', async () => {
    const { open, tick } = startStreams();
    const { state, watch } = createWatched();
    const all = await Promise.all([follow(open(watch)), follow(open(watch)), follow(open(watch))]);
    state.visitors = 2;
    await tick();
    expect(all.map(({ chunks }) => chunks)).toEqual(Array(3).fill([FIRST, snapshot(2, 2)]));
    expect(state.readings).toBe(2);
  });

  test('are refused beyond the bound, with Retry-After', async () => {
    const { open } = startStreams(2);
    await open(createWatched('a').watch);
    const { cancel } = await follow(open(createWatched('b').watch));
    await expect(open(createWatched('c').watch)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '30' },
    });
    await cancel();
    await Bun.sleep(0);
    expect((await open(createWatched('c').watch)).status).toBe(200);
  });

  test('without credentials take at most half of the places', async () => {
    const { open } = startStreams(4);
    const by = (viewer: Viewer) => open({ ...createWatched().watch, viewer });
    await by({ address: '192.0.2.1' });
    await by({ address: '192.0.2.2' });
    await expect(by({ address: '192.0.2.3' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await by({ account: 'ada' })).status).toBe(200);
  });

  test('of viewers who have one already leave the last quarter to others, with credentials and without', async () => {
    const { open } = startStreams(16);
    const by = (viewer: Viewer) => open({ ...createWatched().watch, viewer });
    const FULL = { code: 'SERVICE_UNAVAILABLE' };
    for (let count = 0; count < 6; count += 1) await by({ address: '192.0.2.1' });
    await expect(by({ address: '192.0.2.1' })).rejects.toMatchObject(FULL);
    await by({ address: '192.0.2.2' });
    for (let count = 0; count < 5; count += 1) await by({ account: 'ada' });
    await expect(by({ account: 'ada' })).rejects.toMatchObject(FULL);
    await by({ account: 'bob' });
  });

  test.each<[string, number, (name: string) => Viewer]>([
    ['account', 20, (account) => ({ account })],
    ['address', 10, (address) => ({ address })],
  ])('of one %s are %d at most, which others do not notice', async (kind, max, toViewer) => {
    const { open } = startStreams(200);
    const { watch } = createWatched();
    const by = (name: string) => follow(open({ ...watch, viewer: toViewer(name) }));
    const [first] = await Promise.all(Array.from({ length: max }, () => by('ada')));
    await expect(open({ ...watch, viewer: toViewer('ada') })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: `This ${kind} has ${max} live streams open already; close one`,
      headers: { 'Retry-After': '30' },
    });
    expect((await by('bob')).response.status).toBe(200);
    await first?.cancel();
    await Bun.sleep(0);
    expect((await by('ada')).response.status).toBe(200);
  });

  test('a question that several share is wanted until all of them have gone', async () => {
    const { open } = startStreams();
    const signals: CancelSignal[] = [];
    const read = (signal: CancelSignal) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    const [first, second, third] = [createWatched(), createWatched(), createWatched()];
    void open({ ...first.watch, read });
    void open({ ...second.watch, read });
    first.gone.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    second.gone.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    void open({ ...third.watch, read });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('a first reading that fails is reported, and takes no place', async () => {
    const { open } = startStreams(1);
    const { watch } = createWatched();
    const failing = { ...watch, key: 'failing', read: () => Promise.reject(unavailableError('Busy', 1)) };
    await expect(open(failing)).rejects.toMatchObject({ message: 'Busy' });
    await Bun.sleep(0);
    expect((await open(watch)).status).toBe(200);
  });

  test('a later reading that fails ends the stream; a failure of ours is logged', async () => {
    const { open, tick } = startStreams();
    const { watch } = createWatched();
    let count = 0;
    const read = async () => {
      count += 1;
      if (count > 1) throw new Error('ours');
      return watch.read({ aborted: false });
    };
    const { chunks } = await follow(open({ ...watch, read }));
    await tick();
    expect(chunks).toEqual([FIRST, null]);
    expect(errors.splice(0)).toMatchObject([{ message: 'ours' }]);
  });
});
