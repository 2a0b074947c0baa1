import { detach } from '../../../process/garbage.ts';
import { type Integers, packedBytes, packInto, unpack, widthOf } from './bit-packing.ts';

/**
 * The stored form of typed arrays. Each is stored separately, so that it can be read without the others. Unsigned integers
 * are bit-packed: as small as zstd, and read in a tenth of the time. An array that zstd halves is compressed instead.
 *
 * Layout: count (uint32); for each array its size, stored size and form (uint32 each); then the stored bytes of each,
 * aligned to four bytes.
 */
const WORD = 4;
const HEADER_WORDS = 3;
const LEVEL = 3;
/** Minimum size that is compressed: below it, the zstd frame outweighs the gain. */
const COMPRESSED_MIN = 64;
/** Storage forms. A bit-packed form is PACKED + bits per value + WIDTHS × index of its type. */
const RAW = 0;
const ZSTD = 1;
const PACKED = 2;
const WIDTHS = 33;
const INTEGERS = [Uint8Array, Uint16Array, Uint32Array] as const;

type Stored = { bytes: Uint8Array; form: number };

export function encodeArrays(arrays: readonly ArrayBufferView[]): Uint8Array {
  const stored = arrays.map(encode);
  const header = new Uint32Array(1 + HEADER_WORDS * arrays.length);
  header[0] = arrays.length;
  arrays.forEach((array, index) => {
    const { bytes, form } = stored[index] as Stored;
    header.set([array.byteLength, bytes.length, form], 1 + HEADER_WORDS * index);
  });
  const padded = stored.flatMap(({ bytes }) => [bytes, new Uint8Array(toWord(bytes.length) - bytes.length)]);
  return Buffer.concat([new Uint8Array(header.buffer), ...padded]);
}

function encode(array: ArrayBufferView): Stored {
  const raw = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (raw.length < COMPRESSED_MIN) return { bytes: raw, form: RAW };
  const compressed = Bun.zstdCompressSync(raw as Uint8Array<ArrayBuffer>, { level: LEVEL }); // never shared memory
  const type = INTEGERS.findIndex((Kind) => array instanceof Kind);
  if (type >= 0) {
    const integers = array as Integers; // of that type
    const width = widthOf(integers);
    const size = packedBytes(integers.length, width);
    if (size < raw.length && size <= 2 * compressed.length)
      return {
        bytes: packInto(new Uint8Array(size), integers, width),
        form: PACKED + width + type * WIDTHS,
      };
  }
  return compressed.length < raw.length ? { bytes: compressed, form: ZSTD } : { bytes: raw, form: RAW };
}

/** The stored form, opened: arrays are read one by one. */
export type StoredArrays = {
  count: number;
  /** Returns a copy in memory of its own. */
  bytes(index: number): ArrayBuffer;
  /** Frees the stored form. @returns its size in bytes */
  close(): number;
};

export function openArrays(blob: Uint8Array | ArrayBuffer): StoredArrays {
  const bytes = blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(0, true);
  const wordOf = (index: number, word: number) =>
    view.getUint32(WORD * (1 + HEADER_WORDS * index + word), true);
  const starts: number[] = [];
  let end = WORD * (1 + HEADER_WORDS * count);
  for (let index = 0; index < count; index += 1) {
    starts.push(end);
    end += toWord(wordOf(index, 1));
  }
  return {
    count,
    bytes(index) {
      const start = starts[index];
      if (start === undefined) throw new RangeError(`No array ${index}: there are ${count}.`);
      const stored = bytes.subarray(start, start + wordOf(index, 1));
      return decode(stored, wordOf(index, 0), wordOf(index, 2));
    },
    close: () => detach(bytes),
  };
}

function decode(stored: Uint8Array, length: number, form: number): ArrayBuffer {
  if (form === RAW) return toOwnBuffer(stored);
  if (form === ZSTD) {
    const raw = Bun.zstdDecompressSync(stored as Uint8Array<ArrayBuffer>); // never shared memory
    return raw.byteOffset === 0 && raw.buffer.byteLength === length
      ? (raw.buffer as ArrayBuffer) // as above
      : toOwnBuffer(raw);
  }
  const Kind = INTEGERS[Math.floor((form - PACKED) / WIDTHS)];
  if (!Kind) throw new RangeError(`Unknown form ${form}.`);
  const into = new Kind(length / Kind.BYTES_PER_ELEMENT);
  unpack(stored, (form - PACKED) % WIDTHS, into);
  return into.buffer;
}

function toWord(bytes: number): number {
  return Math.ceil(bytes / WORD) * WORD;
}

function toOwnBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer; // a slice of a Buffer would share its memory
}
