import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

/**
 * Lines that a native-speaking engineer would word differently. Write the client, sender, owner or visitor in place of
 * "nobody"; "again", "also" and "next to" in place of "anew", "likewise" and "beside". Docstrings begin with a noun or a
 * verb.
 */
const WORDS =
  /\b(nobody|somebody|whoever|anew|likewise|(is|are) told|told of|says nothing|goes on|he may|of his)\b|\bbeside\b/i;
const OPENINGS = /^\s*(\/\*\*|\*) (Of|Those|Whoever|What|Likewise|The same) /;
/** "It is not a number", in place of "it is no number". */
const NEGATIONS = /(?<!\bthere )\b(is|are) no (?!longer\b|more\b|less\b|other\b)/i;
/** Titles that cannot stand alone in a list of failures. */
const TITLES = /\b(test|describe)\b.*\(['"`](that|nor|and|or|neither|than) /;

/** The count may only shrink: lower this number with each file that is reworded. */
const LINES_MAX = 1;

const ROOT = join(import.meta.dir, '../..');
const FILES = '{src,tracker,tests,docs,packages,packaging,bench}/**/*.{ts,tsx,md}';

test('comments, texts and titles use plain words', () => {
  const lines = [...new Glob(FILES).scanSync(ROOT)]
    .filter((path) => path !== 'tests/house/words.test.ts' && !path.includes('node_modules'))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .map((line, index) => `${path}:${index + 1}: ${line.trim()}`)
        .filter((line) => {
          const text = line.slice(line.indexOf(': ') + 2);
          return [WORDS, OPENINGS, NEGATIONS, TITLES].some((pattern) => pattern.test(text));
        }),
    );
  if (lines.length > LINES_MAX) throw new Error(`${lines.length} lines:\n${lines.slice(0, 100).join('\n')}`);
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
});

const COMMENT_LENGTH_MAX = 125;
/** Texts in Markdown, a paragraph a line. */
const PROSE = 'src/assets/openapi/prose.ts';

test('comments have lines of at most 125 characters', () => {
  const long = [...new Glob('{src,tracker,tests,packages,packaging,bench}/**/*.{ts,tsx}').scanSync(ROOT)]
    .filter((path) => path !== PROSE && !path.includes('node_modules'))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .map((line, index) => ({ place: `${path}:${index + 1}`, line }))
        .filter(({ line }) => line.length > COMMENT_LENGTH_MAX && /^\s*(\/\/|\/\*\*|\*)/.test(line)),
    );
  expect(long.map(({ place }) => place)).toEqual([]);
});
