import type { IpAddress } from '../network/ip-address.ts';
import { canonicalGroup } from '../network/ip-range.ts';
import { AppError } from '../vocabulary/errors.ts';

const RETRY_AFTER_S = '2';
/** How much a full budget frees at once: finding the losers takes a look at all bodies. */
const FREED_SHARE = 1 / 16;

type Bounds = {
  bytesMax: number;
  /** Maximum bytes of one sender, if less than all. */
  senderBytesMax?: number;
  /** Monotonic clock. */
  monotonicMs: () => number;
};

/** A body on its way, with what it takes of the budget. */
export type Body = {
  readonly sender: string | null;
  bytes: number;
  /** Time at which its last bytes arrived. */
  progressMs: number;
  /** Ends the reading. The request has to be answered with the error, which frees what has arrived. */
  readonly lose: (error: AppError) => void;
};

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Bounds the memory of bodies. When it is full, the senders that hold most of it for the longest time lose their bodies: a
 * stalled body makes room for one that is arriving.
 */
export function createBodyBudget({ bytesMax, senderBytesMax, monotonicMs }: Bounds) {
  const arriving = new Set<Body>();
  const bySender = new Map<string, number>();
  let takenBytes = 0;

  function add(body: Body, bytes: number): void {
    body.bytes += bytes;
    takenBytes += bytes;
    if (senderBytesMax === undefined || body.sender === null) return;
    const own = takenBy(body.sender) + bytes;
    if (own > 0) bySender.set(body.sender, own);
    else bySender.delete(body.sender);
  }

  const takenBy = (sender: string) => bySender.get(sender) ?? 0;

  function release(body: Body): void {
    arriving.delete(body);
    add(body, -body.bytes);
  }

  /** The slowest first, until there is room. */
  function makeRoom(bodies: readonly Body[], message: string, hasRoom: () => boolean): void {
    for (const body of bodies) {
      if (hasRoom()) return;
      release(body);
      body.lose(tooManyError(message));
    }
  }

  function listLosers(): Body[] {
    const nowMs = monotonicMs();
    const senders = [...Map.groupBy(arriving, ({ sender }) => sender).values()].map((bodies) => {
      const bytes = bodies.reduce((sum, body) => sum + body.bytes, 0);
      const [slowest] = bodies.sort(bySlowness);
      return { bodies, weight: bytes * (nowMs - (slowest?.progressMs ?? nowMs)) };
    });
    return senders.sort((a, b) => b.weight - a.weight).flatMap(({ bodies }) => bodies);
  }

  return {
    /** @param address null: unknown, or without a bound of its own */
    begin(address: IpAddress | null, lose: Body['lose']): Body {
      const sender = address && canonicalGroup(address);
      const body = { sender, bytes: 0, progressMs: monotonicMs(), lose };
      arriving.add(body);
      return body;
    },

    /** More of a body has arrived, or its text has replaced it. This one or others may lose. */
    take(body: Body, bytes: number): void {
      if (!arriving.has(body)) return;
      const { sender } = body;
      add(body, bytes);
      body.progressMs = monotonicMs();
      if (senderBytesMax !== undefined && sender !== null && takenBy(sender) > senderBytesMax)
        makeRoom(
          [...arriving].filter((one) => one.sender === sender).sort(bySlowness),
          'Too many large bodies from this address are on their way',
          () => takenBy(sender) <= senderBytesMax,
        );
      if (takenBytes > bytesMax)
        makeRoom(
          listLosers(),
          'Too many bodies are on their way; try again',
          () => takenBytes <= bytesMax * (1 - FREED_SHARE),
        );
    },

    /** It has arrived as a whole: it keeps its bytes until it is released, and loses them no more. */
    keep(body: Body): void {
      arriving.delete(body);
    },

    release,
  };
}

function bySlowness(a: Body, b: Body): number {
  return a.progressMs - b.progressMs;
}

/** The connection closes: what is still to come of the body would be read for nothing. */
function tooManyError(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': RETRY_AFTER_S, Connection: 'close' },
  });
}

/**
 * Processes bodies in order, as many at a time as fit into `bytesMax`. Waiting bodies stay text: their parsed JSON takes up
 * to ten times as much memory.
 */
export function createByteTurns(bytesMax: number) {
  let atWorkBytes = 0;
  const waiting: { bytes: number; start: () => void }[] = [];

  /** One that is larger than everything that may be at work goes alone. */
  function fits(bytes: number): boolean {
    return atWorkBytes === 0 || atWorkBytes + bytes <= bytesMax;
  }

  return async function inTurn<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (waiting.length === 0 && fits(bytes)) atWorkBytes += bytes;
    else await new Promise<void>((start) => waiting.push({ bytes, start }));
    try {
      return await work();
    } finally {
      atWorkBytes -= bytes;
      for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
        waiting.shift();
        atWorkBytes += next.bytes;
        next.start();
      }
    }
  };
}
