import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { Elysia } from 'elysia';
import { CreatedEvent } from '../../src/contract/event.ts';
import { EventInput } from '../../src/contract/event-input.ts';
import { events } from '../../src/db/log-schema.ts';
import { uuidToBytes } from '../../src/db/packed-id.ts';
import { websites } from '../../src/db/schema.ts';
import { judgeEvent } from '../../src/events/judge.ts';
import { normaliseEvent } from '../../src/events/normalise.ts';
import { createSenderReader } from '../../src/events/sender.ts';
import { createUserAgents } from '../../src/events/user-agent.ts';
import { toCreated } from '../../src/events/wire.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { parseIpAddress } from '../../src/network/ip-address.ts';
import { createPlaceLookup } from '../../src/places/place-lookup.ts';
import { parseConfig } from '../../src/settings/config.ts';
import { DEVICE_TYPES, EVENT_TYPES } from '../../src/vocabulary/contract.ts';

/**
 * The baseline for the service: the same table, schema, validation and enrichment, and one Drizzle insert a
 * request through the stock client. It looks up no website, keeps no counters and knows no repeats.
 */

const { config } = parseConfig(process.env, process.cwd());
if (config.database.kind !== 'file') throw new Error('The baseline needs a database file.');
// One connection: the settings below hold for one, and the pool would open others with its defaults.
const db = drizzle(createClient({ url: `file:${config.database.path}`, concurrency: 1 }));
await db.$client.execute('PRAGMA journal_mode = WAL');
await db.$client.execute(`PRAGMA synchronous = ${config.durability === 'full' ? 'FULL' : 'NORMAL'}`);

const [row] = await db.select().from(websites);
if (!row) throw new Error('The baseline needs a website.');
const website = { ...row, userId: row.userId ?? '', excludedRanges: [] };
const places = createPlaceLookup({ onFailure: console.error });
const toSender = createSenderReader(places, createUserAgents());

const app = new Elysia({ normalize: false }).post(
  '/api/v1/events',
  async ({ body, request, server, set }) => {
    const address = parseIpAddress(server?.requestIP(request)?.address ?? '') ?? null;
    const sender = toSender(request, { address, limitedAddress: null }, undefined);
    const event = normaliseEvent(judgeEvent(body), website, {
      sender,
      nowMs: Date.now(),
      maxEventAgeDays: config.maxEventAgeDays,
    });
    await db.insert(events).values(toRow(event));
    set.status = 201;
    return toCreated(event, website.id);
  },
  { body: EventInput, response: { 201: CreatedEvent } },
);
app.listen({ port: config.port, hostname: config.host });
console.log(`ready at http://localhost:${app.server?.port}`);

function toRow({ website: of, id, eventType, deviceType, ...same }: NewEvent): typeof events.$inferInsert {
  return {
    ...same,
    eventId: uuidToBytes(id),
    websiteKey: of.key,
    type: EVENT_TYPES.indexOf(eventType),
    deviceType: deviceType === null ? null : DEVICE_TYPES.indexOf(deviceType),
  };
}
