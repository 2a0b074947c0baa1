import { expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import { iso31661 } from 'iso-3166';
import flags from '../../src/dashboard/marks/flags.json';
import rareFlags from '../../src/dashboard/marks/flags-rare.json';
import { makeFlags, makeIcons } from '../../src/dashboard/marks/generate.ts';
import icons from '../../src/dashboard/marks/icons.json';
import rareIcons from '../../src/dashboard/marks/icons-rare.json';
import { firstLetter } from '../../src/dashboard/marks/Mark.tsx';

/** Icons and usual flags come with the first load of a dashboard, the others when one of them is shown. */
const BYTES_MAX = { icons: 6_200, flags: 5_000, rareIcons: 12_000, rareFlags: 27_000 };

test('the marks are what the generator makes of the packages', () => {
  expect<unknown>(icons).toEqual(makeIcons({ areUsual: true }));
  expect<unknown>(rareIcons).toEqual(makeIcons({ areUsual: false }));
  expect<unknown>(flags).toEqual(makeFlags({ areUsual: true }));
  expect<unknown>(rareFlags).toEqual(makeFlags({ areUsual: false }));
});

test('every country of ISO 3166-1 has a flag', () => {
  const codes = new Set([...Object.keys(flags), ...Object.keys(rareFlags)]);
  expect(iso31661.map(({ alpha2 }) => alpha2).filter((code) => !codes.has(code))).toEqual([]);
});

test('they are small files, of shapes alone', () => {
  for (const [name, marks] of Object.entries({ icons, flags, rareIcons, rareFlags })) {
    const text = JSON.stringify(marks);
    expect(brotliCompressSync(text).length).toBeLessThan(BYTES_MAX[name as keyof typeof BYTES_MAX]);
    expect(text).not.toMatch(/<script|href|style=|url\(| on\w+=/);
  }
});

test.each([
  ['مهمة', 'م'],
  ['🎄 sale', '🎄'],
  ['👩‍🚀 crew', '👩‍🚀'],
  ['(été)', 'é'],
  ['!!!', '?'],
])('the mark of %s is its first letter as people read it, %s', (value, letter) => {
  expect(firstLetter(value)).toBe(letter);
});
