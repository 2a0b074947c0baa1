import { HOUR_MS } from '../../vocabulary/durations.ts';
import { carryOutErasures } from './erasures.ts';
import { keyAt } from './keys.ts';
import type { EventsServer } from './server.ts';
import { sql } from './sql.ts';
import { takeBackRepeats } from './stored-ids.ts';

/** A process that was killed is followed by another one within that time, or its upkeep at the next start. */
const LOOKED_BACK_MS = 2 * HOUR_MS;

/**
 * Finishes what processes left that were killed: erasures that were ordered, and an event that two of them had stored in the
 * same moment. To be called at the start, and now and then.
 */
export async function keepUp(server: EventsServer, nowMs: number): Promise<void> {
  await carryOutErasures(server, nowMs);
  await takeBackRepeats(server, { sinceKey: keyAt(nowMs - LOOKED_BACK_MS) });
}

/** A load balancer asks for health every few seconds, and gives up after five (Caddy). */
const PROBE_PATIENCE_MS = 4_000;

/** Finds out whether the server answers out of the table. */
export async function readNothing(server: EventsServer): Promise<void> {
  await server.read(sql`SELECT 1 FROM events LIMIT 1`, PROBE_PATIENCE_MS);
}
