import { expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import { iso31661 } from 'iso-3166';
import flags from '../../src/dashboard/marks/flags.json';
import { makeFlags, makeIcons } from '../../src/dashboard/marks/generate.ts';
import icons from '../../src/dashboard/marks/icons.json';

/** The icons come with the first load of a dashboard, the flags when a list of countries is looked at. */
const BYTES_MAX = { icons: 15_000, flags: 40_000 };

test('the marks are what the generator makes of the packages', () => {
  expect<unknown>(icons).toEqual(makeIcons());
  expect<unknown>(flags).toEqual(makeFlags());
});

test('every country of ISO 3166-1 has a flag', () => {
  const codes = new Set(Object.keys(flags));
  expect(iso31661.map(({ alpha2 }) => alpha2).filter((code) => !codes.has(code))).toEqual([]);
});

test('they are small files, of shapes alone', () => {
  for (const [name, marks] of Object.entries({ icons, flags })) {
    const text = JSON.stringify(marks);
    expect(brotliCompressSync(text).length).toBeLessThan(BYTES_MAX[name as keyof typeof BYTES_MAX]);
    expect(text).not.toMatch(/<script|href|style=|url\(| on\w+=/);
  }
});
