import { useEffect, useRef, useState } from 'preact/hooks';
import type { Realtime } from '../../metrics/reports/realtime.ts';
import type { ApiError } from '../api/client.ts';
import { credentialOf, type Place } from '../api/place.ts';
import { followStream } from '../api/stream.ts';

/** Present visitors, updated live. */
export function useNow(place: Place, filters: string | undefined, rows: number) {
  const [now, setNow] = useState<Realtime>();
  const [fault, setFault] = useState<ApiError>();
  const [turn, setTurn] = useState(0);
  const { token } = credentialOf(place); // another one once the password of a link is entered
  useEffect(
    () =>
      followStream(
        `/websites/${encodeURIComponent(place.websiteId)}/stats/realtime/stream`,
        { query: { limit: rows, filters }, ...credentialOf(place) },
        {
          onMessage: (event, text) => {
            if (event !== 'snapshot') return;
            setNow(JSON.parse(text)); // the contract's type of the stream
            setFault(undefined);
          },
          onFault: setFault,
        },
      ),
    [place.base, token, filters, rows, turn],
  );
  return { now, fault, retry: () => setTurn(turn + 1) };
}

/** A value that changes at most this often. The first one passes at once, and the latest one always arrives. */
export function useThrottled<Value>(value: Value | undefined, everyMs: number): Value | undefined {
  const [kept, setKept] = useState(value);
  const keptAtMs = useRef(0);
  useEffect(() => {
    if (value === undefined) return;
    const waitMs = Math.max(0, keptAtMs.current + everyMs - Date.now());
    const timer = setTimeout(() => {
      keptAtMs.current = Date.now();
      setKept(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return kept;
}

/** The current time, updated for relative times. */
export function useClock(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
