import { eventFor } from '../../support/event.ts';
import { createTestService } from '../../support/service.ts';
import type { BarOptions, BarResult } from '../bar.ts';

const HOUR_MS = 3_600_000;
/** Where the clock stands, one after the other, relative to the start. */
const JUMPS_MS = [0, -HOUR_MS, 24 * HOUR_MS, 0, -1, 23 * HOUR_MS, -24 * HOUR_MS, 1];
const EVENTS_A_JUMP = 40;
const PAGE = 17;

/** The clock is set back and forth while events arrive: each is found, once, where the clock of its arrival says. */
export async function tryClock(_: BarOptions): Promise<BarResult> {
  const service = await createTestService();
  const { apiKey: token } = await service.signUp(); // a login ends when the clock is set back by more than a minute
  const { id: websiteId, trackingCode } = await service.addWebsite(token);
  const faults: string[] = [];
  const createdAt = new Map<string, string>();
  const startMs = service.clock.now();
  for (const jumpMs of JUMPS_MS) {
    service.clock.set(startMs + jumpMs);
    for (let index = 0; index < EVENTS_A_JUMP; index += 1) {
      const { status, body } = await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
      if (status !== 201) faults.push(`an event got ${status} at ${jumpMs} ms`);
      if (body.createdAt !== new Date(startMs + jumpMs).toISOString())
        faults.push(`at ${jumpMs} ms an event was created at ${body.createdAt}`);
      createdAt.set(body.id, body.createdAt);
    }
    const { body: site } = await service.send('PATCH', `/api/v1/websites/${websiteId}/settings`, {
      token,
      body: { isPublic: jumpMs > 0 },
    });
    if (site.isPublic !== jumpMs > 0) faults.push(`a change was not kept at ${jumpMs} ms`);
  }
  service.clock.set(startMs + 24 * HOUR_MS);
  for (const by of ['cursor', 'offset'] as const) {
    const found = await readAll(service, token, trackingCode, by);
    const ids = found.map(({ id }) => id);
    if (ids.length !== createdAt.size || new Set(ids).size !== createdAt.size)
      faults.push(
        `by ${by}, ${ids.length} events were listed, ${new Set(ids).size} distinct, of ${createdAt.size}`,
      );
    const times = found.map((event) => event.createdAt);
    if (times.join() !== times.toSorted().reverse().join()) faults.push(`by ${by}, they are not in order`);
  }
  for (const [id, at] of createdAt) {
    const { body } = await service.send('GET', `/api/v1/events/${id}`, { token });
    if (body.createdAt !== at) faults.push(`${id} was created at ${at} and is read as ${body.createdAt}`);
  }
  const range = `from=${startMs - 25 * HOUR_MS}&to=${startMs + 25 * HOUR_MS}&traffic=all`;
  const { body: totals } = await service.send('GET', `/api/v1/websites/${websiteId}/stats?${range}`, {
    token,
  });
  if (totals.pageviews !== createdAt.size) faults.push(`the statistics count ${totals.pageviews}`);
  faults.push(...service.errors.map((error) => `an error of ours: ${error}`));
  await service.close();
  return {
    figure: `${JUMPS_MS.length} settings of the clock, ${createdAt.size} events: all listed once and in order, by cursor and by offset, ${faults.length} faults`,
    faults,
  };
}

type Listed = { id: string; createdAt: string };

async function readAll(
  service: Awaited<ReturnType<typeof createTestService>>,
  token: string,
  trackingCode: string,
  by: 'cursor' | 'offset',
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let place = by === 'cursor' ? '' : '&offset=0'; ; ) {
    const path = `/api/v1/events?trackingCode=${trackingCode}&limit=${PAGE}${place}`;
    const { body } = await service.send('GET', path, { token });
    found.push(...body.events);
    if (body.events.length < PAGE) return found;
    place = by === 'cursor' ? `&cursor=${body.pagination.nextCursor}` : `&offset=${found.length}`;
  }
}
