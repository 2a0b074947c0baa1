import { afterAll, beforeAll, expect, test } from 'bun:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type Importing, startImporting } from './importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting();
});
afterAll(() => importing.close());

const ROWS = 25_000;
const EVENT = {
  eventType: 'pageview',
  url: 'https://example.com/a',
  visitorId: 'v',
  sessionId: 's',
};

function toParquet(rows: readonly Record<string, unknown>[]): Uint8Array {
  const names = Object.keys(rows[0] ?? {});
  const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name]) }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

test('events of Parquet files are those of JSON lines', async () => {
  const createdAt = new Date('2026-10-01T10:00:00.000Z');
  const { import: own } = await importing.run({
    'events.parquet': toParquet([
      { ...EVENT, id: crypto.randomUUID(), createdAt, properties: '{"plan":"pro"}', location: 'DE' },
    ]),
  });
  expect(await importing.events()).toEqual([
    { ...EVENT, createdAt: createdAt.toISOString(), properties: { plan: 'pro' }, location: 'DE' },
  ]);
  await importing.importer.undo(own.key);
});

test('a Parquet file of many rows is read in parts, and half of one is refused', async () => {
  const file = toParquet(
    Array.from({ length: ROWS }, (_, index) => ({
      uuid: `u${index}`,
      event: '$pageview',
      distinct_id: `v${index % 10}`,
      timestamp: new Date(Date.UTC(2026, 9, 1) + index * 1_000),
      properties: '{"$current_url":"https://example.com/a"}',
    })),
  );
  expect(await importing.preview({ 'posthog.parquet': file })).toMatchObject({ rows: ROWS, accepted: ROWS });
  const half = file.subarray(0, file.length / 2);
  await expect(importing.run({ 'posthog.parquet': half })).rejects.toThrow(
    'posthog.parquet is not a whole Parquet file',
  );
});
