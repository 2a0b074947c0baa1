import { DAY_MS } from '../vocabulary/durations.ts';

export const SALT_BYTES = 32;

/** Salts of one database, by time zone and day; processes that share the database share them. */
export type SaltStore = {
  /** Returns a copy of the salt of a day, made by the process that asks first. */
  open(zone: string, day: number): Uint8Array | Promise<Uint8Array>;
  /** Overwrites the salts of days that are over. */
  forget(isOver: (zone: string, day: number) => boolean): void | Promise<void>;
};

/** Salts of a zone: of the day that is running, and near its end of the next one too. */
export type ZoneSalts = { endMs: number; today: Uint8Array; tomorrow: Uint8Array | undefined };

type ZoneDay = ZoneSalts & { day: number; startMs: number };

export type VisitorSalts = ReturnType<typeof createVisitorSalts>;

/**
 * Keeps the salts of the running day of each time zone in memory. A salt is overwritten when its day is over: nothing can
 * compute the ids of that day again.
 *
 * @param earlyMs how long before midnight the next day's salt is needed
 */
export function createVisitorSalts(store: SaltStore, earlyMs: number) {
  const zones = new Map<string, ZoneDay>();
  const opening = new Map<string, Promise<ZoneSalts>>();

  return {
    /** Returns the salts at an instant; a promise when they must be opened first. */
    at(zone: string, nowMs: number): ZoneSalts | Promise<ZoneSalts> {
      const known = zones.get(zone);
      if (known && isReady(known, nowMs)) return known;
      return opening.get(zone) ?? open(zone, nowMs);
    },

    /** Overwrites the salts of days that are over, in memory and in the store. */
    async forgetPast(nowMs: number): Promise<void> {
      for (const [zone, known] of zones) if (nowMs >= known.endMs || nowMs < known.startMs) forget(zone);
      await forgetStored(nowMs);
    },

    close(): void {
      for (const zone of [...zones.keys()]) forget(zone);
    },
  };

  function forgetStored(nowMs: number): void | Promise<void> {
    return store.forget((zone, day) => day < dayIn(zone, nowMs).day);
  }

  function isReady({ startMs, endMs, tomorrow }: ZoneDay, nowMs: number): boolean {
    return nowMs >= startMs && nowMs < endMs && (tomorrow !== undefined || nowMs < endMs - earlyMs);
  }

  function open(zone: string, nowMs: number): ZoneSalts | Promise<ZoneSalts> {
    const bounds = dayIn(zone, nowMs);
    // When this fails, the next call of forgetPast does it.
    if (zones.has(zone)) void Promise.try(forgetStored, nowMs).catch(() => {});
    const needsNext = nowMs >= bounds.endMs - earlyMs;
    const today = store.open(zone, bounds.day);
    const tomorrow = needsNext ? store.open(zone, bounds.day + 1) : undefined;
    if (!(today instanceof Promise) && !(tomorrow instanceof Promise))
      return keep(zone, { ...bounds, today, tomorrow });
    const opened = Promise.all([today, tomorrow])
      .then(([first, next]) => keep(zone, { ...bounds, today: first, tomorrow: next }))
      .finally(() => opening.delete(zone));
    opening.set(zone, opened);
    return opened;
  }

  function keep(zone: string, salts: ZoneDay): ZoneDay {
    forget(zone);
    zones.set(zone, salts);
    return salts;
  }

  function forget(zone: string): void {
    const known = zones.get(zone);
    known?.today.fill(0);
    known?.tomorrow?.fill(0);
    zones.delete(zone);
  }
}

/** Returns the day of a zone at an instant: its number (days since 1970), its start and its end. */
function dayIn(zone: string, nowMs: number): { day: number; startMs: number; endMs: number } {
  const start = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).startOfDay();
  const { year, month, day } = start;
  return {
    day: Date.UTC(year, month - 1, day) / DAY_MS,
    startMs: start.epochMilliseconds,
    endMs: start.add({ days: 1 }).startOfDay().epochMilliseconds,
  };
}
