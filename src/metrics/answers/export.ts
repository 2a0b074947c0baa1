import type { Analytics } from '../../analytics/analytics.ts';
import type { ExportedEvent as StoredEvent } from '../../analytics/interface/people.ts';
import type { ExportedEvent } from '../../contract/metrics/lists.ts';
import type { EventPosition } from '../../log/event.ts';
import type { Format } from '../../vocabulary/contract.ts';
import { EVENT_ROW_COLUMNS, toEventRow } from '../files/event-row.ts';
import { streamFile, toFile } from '../files/format.ts';
import { toProperties } from './lists.ts';
import { toInstant } from './wire.ts';

const PAGE_EVENTS = 1_000;

type ExportForm = { format: Format; name: string; nowMs: number; recheck: () => Promise<void> };

/**
 * Exports everything stored about a visitor, as a file that is written page by page.
 *
 * @param recheck is called before each further page, and throws when the caller may no longer read it
 * @returns undefined when nothing is stored
 */
export async function exportVisitor(
  analytics: Analytics,
  visitor: { websiteKey: number; visitorId: string },
  { format, name, nowMs, recheck }: ExportForm,
): Promise<Response | undefined> {
  const readPage = (after?: EventPosition) =>
    analytics.exportVisitor({ ...visitor, after, limit: PAGE_EVENTS });
  const first = await readPage();
  if (first.events.length === 0) return undefined;

  async function* rows() {
    for (let page = first; ; page = await readPage(page.next)) {
      yield* page.events.map(toRow);
      if (page.next === undefined) return;
      await recheck();
    }
  }
  if (format !== 'json') return toFile({ name, columns: EVENT_ROW_COLUMNS, rows: rows() }, format);
  const head = { visitorId: visitor.visitorId, exportedAt: toInstant(nowMs) };
  return streamFile(toJson(head, rows()), 'application/json; charset=utf-8', `${name}.json`);
}

function toRow(event: StoredEvent): typeof ExportedEvent.static {
  return { ...toEventRow(event), properties: toProperties(event.properties) };
}

/** Writes one object, its list event by event. */
async function* toJson(head: object, rows: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  let separator = '\n';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}
