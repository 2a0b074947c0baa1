/** Offsets of time zones. Wall times are milliseconds, as if local time were UTC. */

/** A period with one offset: wall time = instant + offset. */
type Span = { fromMs: number; toMs: number; offsetMs: number };

export type Zone = {
  /** Name as requested. */
  name: string;
  offsetMs(instantMs: number): number;
  /** Half-open, ascending and contiguous, from `fromMs` to `toMs`. */
  spans(fromMs: number, toMs: number): Span[];
};

/** Returns undefined unless the name is IANA's. Plain offsets (`+01:00`) have no daylight-saving rules and are refused. */
export function findZone(name: string): Zone | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    return createZone(name);
  } catch {
    return undefined; // a RangeError: Temporal does not know the name
  }
}

export function requireUtc(): Zone {
  return createZone('UTC');
}

/** @throws RangeError for an unknown name */
function createZone(name: string): Zone {
  // Questions about ascending instants, such as the points of a series, usually fall into the previous span.
  let last = findSpan(name, 0);

  function spanAt(instantMs: number): Span {
    if (instantMs < last.fromMs || instantMs >= last.toMs) last = findSpan(name, instantMs);
    return last;
  }

  return {
    name,
    offsetMs: (instantMs) => spanAt(instantMs).offsetMs,
    spans(fromMs, toMs) {
      const found: Span[] = [];
      for (let startMs = fromMs; startMs < toMs; startMs = spanAt(startMs).toMs) {
        const span = spanAt(startMs);
        found.push({ fromMs: startMs, toMs: Math.min(span.toMs, toMs), offsetMs: span.offsetMs });
      }
      return found;
    },
  };
}

/** Returns the span of an instant, from that instant to the next change of offset. */
function findSpan(timeZone: string, fromMs: number): Span {
  const local = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone);
  const toMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  return { fromMs, toMs, offsetMs: local.offsetNanoseconds / 1e6 };
}
