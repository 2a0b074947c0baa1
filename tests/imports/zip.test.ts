import { afterAll, beforeAll, expect, test } from 'bun:test';
import { deflateRawSync } from 'node:zlib';
import { type Importing, startImporting, toNdjson } from './importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting();
});
afterAll(() => importing.close());

type Entry = { name: string; content?: string; mode?: number };

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATE = 8;
const MADE_ON_UNIX = 3 << 8;

/** A zip as PKWARE's APPNOTE describes it. */
function toZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644 } of entries) {
    const data = deflateRawSync(Buffer.from(content));
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version
    common.writeUInt16LE(0x800, 2); // names are UTF-8
    common.writeUInt16LE(DEFLATE, 4);
    common.writeUInt32LE(Bun.hash.crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(Buffer.byteLength(content), 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE((mode << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    const local = Buffer.concat([toBytes(LOCAL), common, Buffer.from(name), data]);
    directory.push(
      Buffer.concat([
        toBytes(CENTRAL),
        Buffer.from([20, MADE_ON_UNIX >> 8]),
        common,
        central,
        Buffer.from(name),
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, toBytes(END), end]);
}

function toBytes(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}

const events = (url: string) => toNdjson([{ id: crypto.randomUUID(), url }]);

test('the files of a zip are imported together, without folders, links and files of other formats', async () => {
  const zip = toZip([
    { name: 'export/', mode: 0o040755 },
    { name: 'export/one.ndjson', content: events('https://example.com/1') },
    { name: 'export/two.ndjson', content: events('https://example.com/2') },
    { name: 'export/link.ndjson', content: '/etc/passwd', mode: 0o120777 },
    { name: 'export/readme.txt', content: 'About these files' },
    { name: '__MACOSX/export/._one.ndjson', content: 'resource' },
  ]);
  const { import: own, ...result } = await importing.run({ 'export.zip': zip });
  expect({ source: own.source, added: result.added }).toEqual({ source: 'one.ndjson, two.ndjson', added: 2 });
  expect((await importing.events()).map(({ url }) => url)).toEqual([
    'https://example.com/1',
    'https://example.com/2',
  ]);
  await importing.importer.undo(own.key);
});

const REFUSED: Record<string, [zip: () => Uint8Array, reason: string]> = {
  'a path out of the zip': [
    () => toZip([{ name: '../evil.ndjson', content: events('https://example.com/') }]),
    'export.zip is not a whole zip file: invalid relative path',
  ],
  'an absolute path': [
    () => toZip([{ name: '/etc/evil.ndjson', content: events('https://example.com/') }]),
    'export.zip is not a whole zip file: absolute path',
  ],
  'a bomb': [
    () =>
      toZip([
        { name: 'bomb.ndjson', content: `${events('https://example.com/')}\n${' '.repeat(100_000_000)}` },
      ]),
    'expands to more than 200 times its size',
  ],
  'an end that is missing': [
    () => toZip([{ name: 'a.ndjson', content: events('https://example.com/') }]).subarray(0, -30),
    'export.zip is not a whole zip file',
  ],
  'nothing that can be imported': [
    () => toZip([{ name: 'readme.txt', content: 'About' }]),
    'readme.txt is in none of these formats',
  ],
};

test.each(Object.entries(REFUSED))(
  'a zip with %s is refused, and nothing of it stays',
  async (_, [zip, reason]) => {
    await expect(importing.run({ 'export.zip': zip() })).rejects.toThrow(reason);
    expect(await importing.list()).toEqual([]);
    expect(await importing.events()).toEqual([]);
  },
);
