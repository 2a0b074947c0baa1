import { expect, test } from 'bun:test';
import { derive } from '../../src/analytics/clickhouse/derived.ts';
import { MIGRATIONS } from '../../src/log/clickhouse/schema.ts';
import { toEvent } from '../analytics/support.ts';

const HASHES = [
  '1ykzgp63rl0j3',
  '3g3xf2mh3hgev',
  '31gdn62g02ish',
  '106hgd9uv224u',
  '1nubeoyg1btp0',
  '118fih4pner2m',
  'gxckoz9jo5mj',
  'ujkpdn9qdba8',
];
const texts = MIGRATIONS.map((statements) => statements.map(({ text }) => text).join(';\n'));

/** Servers of earlier versions ran these statements: append a migration instead of changing one. */
test('ClickHouse migrations that were released are unchanged', () => {
  expect(texts.map((text) => Bun.hash.wyhash(text).toString(36))).toEqual(HASHES);
});

test('every derived value of an event has its column in a ClickHouse migration', () => {
  const columns = Object.keys(derive(toEvent({ at: 0 })));
  expect(
    columns.filter(
      (name) => !new RegExp(`^\\s+${name} |COLUMN IF NOT EXISTS ${name} `, 'm').test(texts.join('\n')),
    ),
  ).toEqual([]);
  expect(columns.length).toBeGreaterThan(15);
});
