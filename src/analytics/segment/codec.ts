/**
 * The stored form of typed arrays: each one compressed by itself (zstd), so that one can be read without the others.
 *
 * Layout: count (uint32), then for each array its bytes and its stored bytes (uint32 each), then the stored bytes. An
 * array whose stored bytes are as many as its bytes is not compressed.
 */
const WORD = 4;
const LEVEL = 3;
/** Of so few bytes, the frame alone is most. */
const COMPRESSED_MIN = 64;

export function encodeArrays(arrays: readonly ArrayBufferView[]): Uint8Array {
  const stored = arrays.map((array) => {
    const raw = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    if (raw.length < COMPRESSED_MIN) return raw;
    const compressed = Bun.zstdCompressSync(raw as Uint8Array<ArrayBuffer>, { level: LEVEL }); // never shared memory
    return compressed.length < raw.length ? compressed : raw;
  });
  const header = new Uint32Array(1 + 2 * arrays.length);
  header[0] = arrays.length;
  arrays.forEach((array, index) => {
    header[1 + 2 * index] = array.byteLength;
    header[2 + 2 * index] = stored[index]?.length ?? 0;
  });
  return Buffer.concat([new Uint8Array(header.buffer), ...stored]);
}

/** The stored form, opened: arrays are read one by one. */
export type StoredArrays = {
  count: number;
  /** A copy, on memory of its own. */
  bytes(index: number): ArrayBuffer;
};

export function openArrays(blob: Uint8Array | ArrayBuffer): StoredArrays {
  const bytes = blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(0, true);
  const starts: number[] = [];
  let end = WORD * (1 + 2 * count);
  for (let index = 0; index < count; index += 1) {
    starts.push(end);
    end += view.getUint32(WORD * (2 + 2 * index), true);
  }
  return {
    count,
    bytes(index) {
      const start = starts[index];
      if (start === undefined) throw new RangeError(`There is no array ${index} among ${count}.`);
      const length = view.getUint32(WORD * (1 + 2 * index), true);
      const storedLength = view.getUint32(WORD * (2 + 2 * index), true);
      const stored = bytes.subarray(start, start + storedLength);
      if (storedLength === length) return toOwnBuffer(stored);
      const raw = Bun.zstdDecompressSync(stored as Uint8Array<ArrayBuffer>); // never shared memory
      return raw.byteOffset === 0 && raw.buffer.byteLength === length
        ? (raw.buffer as ArrayBuffer) // as above
        : toOwnBuffer(raw);
    },
  };
}

function toOwnBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer; // a slice of a Buffer would share its memory
}
