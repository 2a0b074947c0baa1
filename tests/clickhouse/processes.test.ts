import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { isOnClickHouse } from '../support/test-events.ts';
import { call, type Pair, startPair } from './pair.ts';

setDefaultTimeout(300_000);

/** Two processes, one libSQL server, one ClickHouse: whatever of it is killed under load. */

const SENDERS = 8;
const EVENTS_A_KILL = 60;
const ROUNDS = 2;

let pair: Pair | undefined;
afterAll(() => pair?.stop());

describe.if(isOnClickHouse)('two processes', () => {
  test('two processes lose and double no event, whichever is killed, and answer the same', async () => {
    pair = await startPair();
    const { clickHouse, urlOf, token, website } = pair;
    const { id: websiteId, trackingCode } = website;
    const restart = async (place: number) => {
      await pair?.killProcess(place);
      await pair?.startAgain(place);
    };

    const acknowledged = new Set<string>();
    const refusals = new Set<number>();
    let isOver = false;
    /** Sends each event until it is taken, to one process and then to the other, as behind a load balancer. */
    async function send(sender: number): Promise<void> {
      for (let sent = 0; !isOver; sent += 1) {
        const event = eventFor(trackingCode, { id: Bun.randomUUIDv7(), visitorId: `visitor-${sender}` });
        for (let attempt = 0; !isOver; attempt += 1) {
          const { status } = await call(urlOf(sender + sent + attempt), 'POST', '/events', event);
          if (status === 201) {
            acknowledged.add(String(event.id));
            break;
          }
          refusals.add(status);
          await Bun.sleep(20);
        }
      }
    }
    const sending = Array.from({ length: SENDERS }, (_, sender) => send(sender));
    const kills = [
      () => restart(0),
      () => restart(1),
      () => clickHouse.kill().then(() => clickHouse.start()),
    ];
    for (const kill of Array.from({ length: ROUNDS }, () => kills).flat()) {
      const before = acknowledged.size;
      while (acknowledged.size < before + EVENTS_A_KILL) await Bun.sleep(10);
      await kill();
    }
    isOver = true;
    await Promise.all(sending);
    await restart(0); // its start takes back what a killed process has left twice

    const ids = await pair.storedIds();
    const stored = new Set(ids);
    expect(ids.length).toBe(stored.size);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(SENDERS); // on their way when everybody stopped
    expect([...refusals].filter((status) => status !== 0 && status !== 503)).toEqual([]);

    for (const path of [
      `/events?trackingCode=${trackingCode}`,
      `/websites/${websiteId}/stats/dashboard?breakdowns=page,source`,
    ]) {
      const [one, other] = await Promise.all(
        [0, 1].map((place) => call(urlOf(place), 'GET', path, undefined, token)),
      );
      expect(one?.status).toBe(200);
      expect(other).toEqual(one);
    }
    const listed = await call(urlOf(1), 'GET', `/events?trackingCode=${trackingCode}`, undefined, token);
    expect(listed.body.pagination.total).toBe(stored.size);

    const deleted = await call(urlOf(0), 'DELETE', `/websites/${websiteId}`, undefined, token);
    expect(deleted.status).toBeLessThan(300);
    const late = () => call(urlOf(1), 'POST', '/events', eventFor(trackingCode));
    while ((await late()).status !== 404) await Bun.sleep(100); // a process may remember it for seconds
  });
});
