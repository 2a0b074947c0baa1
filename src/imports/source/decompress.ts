import { Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from '../import-error.ts';

/** Bun knows it; the types do not. */
const ZSTD = 'zstd' as CompressionFormat;

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

const FORMATS: readonly {
  magic: number[];
  name: string;
  expand: (bytes: Bytes) => AsyncIterable<Uint8Array>;
}[] = [
  { magic: [0x1f, 0x8b], name: 'gzip', expand: (bytes) => through(bytes, createGunzip()) },
  // Unlike that of node:zlib, it refuses half of a file.
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd', expand: (bytes) => unzstd(bytes) },
];

/** A text of logs shrinks to a tenth or a twentieth; a file that is made to harm expands a thousandfold. */
const EXPANSION_MAX = 200;
const EXPANDED_BYTES_FREE = 64 * 1024 * 1024;

/** Passes bytes on, decompressed when they are gzip or zstd. @throws ImportError for a damaged or hostile file */
export async function* decompress(bytes: AsyncIterable<Uint8Array>, name: string): Bytes {
  const source = bytes[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  let read = 0;
  async function* all(): Bytes {
    for (let next = first; !next.done; next = await source.next()) {
      read += next.value.length;
      yield next.value;
    }
  }
  const format = FORMATS.find(({ magic }) => magic.every((byte, index) => first.value[index] === byte));
  if (!format) return yield* all();
  yield* bounded(
    explained(format.expand(all()), `${name} is not a whole ${format.name} file`),
    name,
    () => read,
  );
}

async function* through(source: Bytes, stream: Transform): Bytes {
  const input = Readable.from(source, { objectMode: false });
  input.on('error', (error) => stream.destroy(error));
  input.pipe(stream);
  try {
    yield* stream;
  } finally {
    input.destroy();
    stream.destroy();
  }
}

function unzstd(source: Bytes): AsyncIterable<Uint8Array> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await source.return();
    },
  });
  return stream.pipeThrough(new DecompressionStream(ZSTD));
}

async function* explained(bytes: AsyncIterable<Uint8Array>, fault: string): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${fault}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @param readBytes how many compressed bytes were read by now */
export async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  readBytes: () => number,
): Bytes {
  let expanded = 0;
  for await (const chunk of bytes) {
    expanded += chunk.length;
    if (expanded > EXPANDED_BYTES_FREE && expanded > readBytes() * EXPANSION_MAX)
      throw new ImportError(`${name} expands to more than ${EXPANSION_MAX} times its size`);
    yield chunk;
  }
}
