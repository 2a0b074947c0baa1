import { bytesToUuid } from '../db/packed-id.ts';
import { VISIT_GAP_MS } from '../vocabulary/analytics.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import type { Sender } from './sender.ts';
import { SALT_BYTES, type VisitorSalts, type ZoneSalts } from './visitor-salts.ts';

/**
 * Visitors of events that carry no ids. A visitor is a sender's address and User-Agent on one website and day: a hash of
 * them under the salt of the day, as a UUID. The address and the salt are not kept.
 */
export type DailyVisitors = {
  /** Returns the id of a visitor; a promise when the salt of the day must be opened first. */
  identify(website: TrackedWebsite, origin: VisitorOrigin, nowMs: number): string | Promise<string>;
  /** Forgets the salts of days and the visits that are over. */
  forgetPast(nowMs: number): Promise<void>;
  close(): void;
};

/** Address and User-Agent of a visitor. */
type VisitorOrigin = Pick<Sender, 'address' | 'userAgent'>;

/** A visit that was running shortly before midnight. */
type Visit = { visitorId: string; lastMs: number };

/** Maximum visits that are remembered across midnight: 20 MB. */
const VISITS_MAX = 100_000;
const AGENT_BYTES_MAX = 1_024;
/** After the salt: the website's key, and the address. */
const WEBSITE_AT = SALT_BYTES;
const ADDRESS_AT = WEBSITE_AT + 8;
const AGENT_AT = ADDRESS_AT + 9;
/** Groups of 16 bits that name the network of an IPv6 address. The rest changes daily (RFC 8981). */
const NETWORK_GROUPS = 4;

export function createDailyVisitors(salts: VisitorSalts): DailyVisitors {
  const message = new Uint8Array(AGENT_AT + AGENT_BYTES_MAX);
  const numbers = new DataView(message.buffer);
  const digest = new Uint8Array(Bun.SHA512_256.byteLength);
  const encoder = new TextEncoder();
  /** By the id that the visitor has under the salt of the next day. */
  const visits = new Map<string, Visit>();

  return {
    identify(website, origin, nowMs) {
      const zone = salts.at(website.timezone, nowMs);
      if (zone instanceof Promise) return zone.then((opened) => idOf(opened, website, origin, nowMs));
      return idOf(zone, website, origin, nowMs);
    },

    async forgetPast(nowMs) {
      for (const [id, { lastMs }] of visits) if (nowMs - lastMs > VISIT_GAP_MS) visits.delete(id);
      await salts.forgetPast(nowMs);
    },

    close: salts.close,
  };

  /**
   * A visit that crosses midnight keeps its id: within the last minutes of a day, the id of the next day is linked to it.
   */
  function idOf(
    { today, tomorrow, endMs }: ZoneSalts,
    website: TrackedWebsite,
    origin: VisitorOrigin,
    nowMs: number,
  ): string {
    const bytes = write(website, origin);
    const own = hash(today, bytes);
    const visit = visits.get(own);
    const isRunning = visit !== undefined && nowMs - visit.lastMs <= VISIT_GAP_MS;
    const visitorId = isRunning ? visit.visitorId : own;
    if (visit) visits.delete(own);
    if (isRunning) remember(own, { visitorId, lastMs: nowMs });
    if (tomorrow && nowMs >= endMs - VISIT_GAP_MS)
      remember(hash(tomorrow, bytes), { visitorId, lastMs: nowMs });
    message.fill(0);
    return visitorId;
  }

  function remember(id: string, visit: Visit): void {
    visits.delete(id); // moves it to the end: the first one is the oldest
    if (visits.size >= VISITS_MAX) for (const oldest of visits.keys()) return void visits.delete(oldest);
    visits.set(id, visit);
  }

  /** Writes what identifies the visitor behind the place of the salt. @returns the length of the message */
  function write(website: TrackedWebsite, { address, userAgent }: VisitorOrigin): number {
    numbers.setFloat64(WEBSITE_AT, website.key);
    if (address) {
      const { family, parts } = address;
      numbers.setUint8(ADDRESS_AT, family === 'ipv4' ? 4 : 6);
      parts.slice(0, NETWORK_GROUPS).forEach((part, index) => {
        numbers.setUint16(ADDRESS_AT + 1 + 2 * index, part);
      });
    }
    return AGENT_AT + encoder.encodeInto(userAgent ?? '', message.subarray(AGENT_AT)).written;
  }

  function hash(salt: Uint8Array, length: number): string {
    message.set(salt);
    Bun.SHA512_256.hash(message.subarray(0, length), digest);
    const id = digest.subarray(0, 16);
    id[6] = ((id[6] as number) & 0x0f) | 0x80; // version 8, variant 1 (RFC 9562, 5.8)
    id[8] = ((id[8] as number) & 0x3f) | 0x80;
    return bytesToUuid(id);
  }
}
