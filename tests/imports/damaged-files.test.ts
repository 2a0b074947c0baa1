import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { openSource } from '../../src/imports/source/source-file.ts';
import { type Importing, startImporting, toNdjson } from './importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting();
});
afterAll(() => importing.close());

/** Events of their own, so that no case finds those of another one. */
function events(count: number, fields: Record<string, unknown> = {}): string {
  return toNdjson(
    Array.from({ length: count }, () => ({
      id: crypto.randomUUID(),
      url: 'https://example.com/ü',
      ...fields,
    })),
  );
}

const HEADER = 'eventType,url,sessionId,visitorId,createdAt,id';
const record = (url = 'https://example.com/ü') =>
  `pageview,${url},s,v,2026-10-01T10:00:00Z,${crypto.randomUUID()}`;

const utf16 = (text: string, mark: [number, number]) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), mark[0] === 0xff ? bytes : bytes.swap16()]);
};

describe('a file is read, however it is written', () => {
  const READABLE: Record<string, () => string | Uint8Array> = {
    'with a byte order mark': () => `\ufeff${events(2)}`,
    'in UTF-16, the low byte first': () => utf16(events(2), [0xff, 0xfe]),
    'in UTF-16, the high byte first': () => utf16(events(2), [0xfe, 0xff]),
    'in Latin-1': () => Buffer.from(events(2), 'latin1'),
    'with carriage returns alone': () => events(2).replaceAll('\n', '\r'),
    'with carriage returns and line feeds': () => events(2).replaceAll('\n', '\r\n'),
    'with empty lines and an end': () => `\n${events(2).replace('\n', '\n\n')}\n\n`,
    'as gzip': () => Bun.gzipSync(Buffer.from(events(2))),
    'as two gzip files in one': () =>
      Buffer.concat([Bun.gzipSync(Buffer.from(`${events(1)}\n`)), Bun.gzipSync(Buffer.from(events(1)))]),
    'as zstd': () => zstdCompressSync(Buffer.from(events(2))),
    'as CSV': () => [HEADER, record(), record()].join('\n'),
    'as CSV with semicolons, quotes and other columns': () =>
      `\ufeff"ID";Unknown;URL;"SessionId";VisitorId;CreatedAt;EventType\r\n${[1, 2]
        .map(
          () =>
            `${crypto.randomUUID()};"a ""b""; c\r\nd";https://example.com/ü;s;v;2026-10-01T10:00:00Z;pageview`,
        )
        .join('\r\n')}\r\n`,
    'as CSV in Latin-1': () => Buffer.from([HEADER, record(), record()].join('\n'), 'latin1'),
  };
  test.each(Object.entries(READABLE))('%s', async (_, content) => {
    const { import: own, ...result } = await importing.run({ 'a.file': content() });
    expect(result).toMatchObject({ added: 2, rejected: 0 });
    expect((await importing.events()).map(({ url }) => url)).toEqual([
      'https://example.com/ü',
      'https://example.com/ü',
    ]);
    await importing.importer.undo(own.key);
  });
});

describe('a damaged file is refused with the reason, and nothing of it stays', () => {
  const half = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2));
  const many = () => events(5_000, { properties: { noise: crypto.randomUUID() } });
  const REFUSED: Record<string, [() => string | Uint8Array, string]> = {
    'half of a gzip file': [() => half(Bun.gzipSync(Buffer.from(many()))), 'a.file is not a whole gzip file'],
    'half of a zstd file': [
      () => half(zstdCompressSync(Buffer.from(many()))),
      'a.file is not a whole zstd file',
    ],
    'a gzip file that expands a thousandfold': [
      () => Bun.gzipSync(Buffer.from(`${events(1)}\n${' '.repeat(100_000_000)}`)),
      'a.file expands to more than 200 times its size',
    ],
    'a quote that is not closed': [
      () => [HEADER, record(), record('"https://example.com/'), record()].join('\n'),
      'a.file, line 4: a quote is not closed',
    ],
    'a file of another product': [() => 'name,colour\nchair,red\n', 'a.file is in none of these formats'],
    'a picture': [
      () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]),
      'a.file is in none of these formats',
    ],
    'an empty file': [() => '', 'a.file is in none of these formats'],
    'the beginning of a zip file': [() => 'PK\u0003\u0004 and no more', 'a.file is not a whole zip file'],
  };
  test.each(Object.entries(REFUSED))('%s', async (_, [content, reason]) => {
    await expect(importing.run({ 'a.file': content() })).rejects.toThrow(reason);
    expect(await importing.list()).toEqual([]);
    expect(await importing.get(`/websites/${importing.website.id}/stats?period=all`)).toMatchObject({
      events: 0,
    });
  });

  test('a file that is not there, and a folder', async () => {
    await expect(openSource([join(importing.folder, 'missing')])).rejects.toThrow('missing cannot be read');
    await expect(openSource([importing.folder])).rejects.toThrow('is not a file');
  });

  test('two files of different formats', async () => {
    const files = { 'a.ndjson': events(1), 'b.csv': [HEADER, record()].join('\n') };
    await expect(importing.run(files)).rejects.toThrow(
      'a.ndjson is Pagemeter NDJSON and b.csv is Pagemeter CSV: import one after the other',
    );
  });

  test('a format that does not exist', async () => {
    await expect(importing.run({ 'a.ndjson': events(1) }, { format: 'abc' })).rejects.toThrow(
      'There is no format abc',
    );
  });
});

test('a line of 50 MB is rejected alone, without being kept in memory', async () => {
  const content = `${events(1)}\n{"url":"${'a'.repeat(50_000_000)}"}\n${events(1)}`;
  const { import: own, ...result } = await importing.run({ 'a.ndjson': content });
  expect(result).toMatchObject({
    added: 2,
    rejectedRows: [{ line: 2, reason: 'Longer than 524288 bytes' }],
  });
  await importing.importer.undo(own.key);
});

test('a link to a file counts as the file', async () => {
  writeFileSync(join(importing.folder, 'real.ndjson'), events(1));
  symlinkSync(join(importing.folder, 'real.ndjson'), join(importing.folder, 'link.ndjson'));
  expect(await openSource([join(importing.folder, 'link.ndjson')])).toMatchObject([{ name: 'link.ndjson' }]);
});

test('formulas of a spreadsheet come back as the texts that they were', async () => {
  const line = `custom,https://example.com/,s,'=v,2026-10-01T10:00:00Z,${crypto.randomUUID()}`;
  const { import: own } = await importing.run({ 'a.csv': `${HEADER}\n${line}` });
  expect(await importing.events()).toMatchObject([{ visitorId: '=v' }]);
  await importing.importer.undo(own.key);
});
