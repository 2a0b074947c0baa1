import { freeBuffer } from '../../../process/garbage.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Maximum bytes kept for the next question. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
const ALIGNMENT = 8;

type Chunk = { buffer: ArrayBuffer; used: number };

/**
 * Provides the typed arrays of one question, from memory that the next question reuses: fresh ones would be collected too
 * late. Arrays are zeroed, and valid until `reset`.
 */
export class Arena {
  #chunks: Chunk[] = [];

  u8(length: number): Uint8Array<ArrayBuffer> {
    const { buffer, offset } = this.#take(length);
    return new Uint8Array(buffer, offset, length).fill(0);
  }

  u16(length: number): Uint16Array<ArrayBuffer> {
    const { buffer, offset } = this.#take(length * 2);
    return new Uint16Array(buffer, offset, length).fill(0);
  }

  u32(length: number): Uint32Array<ArrayBuffer> {
    const { buffer, offset } = this.#take(length * 4);
    return new Uint32Array(buffer, offset, length).fill(0);
  }

  f64(length: number): Float64Array<ArrayBuffer> {
    const { buffer, offset } = this.#take(length * 8);
    return new Float64Array(buffer, offset, length).fill(0);
  }

  /** Runs the work, then makes the arrays allocated during it available again. */
  during<Result>(work: () => Result): Result {
    const used = this.#chunks.map((chunk) => chunk.used);
    try {
      return work();
    } finally {
      this.#chunks.forEach((chunk, index) => {
        chunk.used = used[index] ?? 0;
      });
    }
  }

  /** Frees what one question allocated beyond the bound, and keeps the rest for reuse. */
  reset(bytesMax = KEPT_BYTES_MAX): void {
    let bytes = 0;
    this.#chunks = this.#chunks.filter((chunk) => {
      chunk.used = 0;
      bytes += chunk.buffer.byteLength;
      if (bytes <= bytesMax) return true;
      freeBuffer(new Uint8Array(chunk.buffer));
      return false;
    });
  }

  #take(bytes: number): { buffer: ArrayBuffer; offset: number } {
    const size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    let chunk = this.#chunks.find(({ buffer, used }) => buffer.byteLength - used >= size);
    if (!chunk) {
      chunk = { buffer: new ArrayBuffer(Math.max(CHUNK_BYTES, size)), used: 0 };
      this.#chunks.push(chunk);
    }
    const offset = chunk.used;
    chunk.used += size;
    return { buffer: chunk.buffer, offset };
  }
}
