type Entry<Value> = { value: Value; bytes: number; scan: number };

/**
 * Values bounded by bytes. A scan that is longer than the cache would push out each one just before it is needed again,
 * so a value takes only the place of those that the present scan has not used.
 */
export class ScanCache<Value> {
  readonly #bytesMax: number;
  readonly #free: (value: Value) => void;
  readonly #entries = new Map<string, Entry<Value>>();
  #total = 0;
  #scan = 0;

  /** @param free gives the memory of a value back */
  constructor(bytesMax: number, free: (value: Value) => void) {
    this.#bytesMax = bytesMax;
    this.#free = free;
  }

  get(id: string): Value | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    entry.scan = this.#scan;
    this.#entries.delete(id);
    this.#entries.set(id, entry); // the last used one is the last of the map
    return entry.value;
  }

  /** Whether so many bytes find a place now. */
  hasRoom(bytes: number): boolean {
    if (bytes > this.#bytesMax) return false;
    for (const [oldest, entry] of this.#entries) {
      if (this.#total + bytes <= this.#bytesMax || entry.scan === this.#scan) break;
      this.drop(oldest);
    }
    return this.#total + bytes <= this.#bytesMax;
  }

  /** To be called when it has room. */
  put(id: string, value: Value, bytes: number): void {
    this.drop(id);
    this.#total += bytes;
    this.#entries.set(id, { value, bytes, scan: this.#scan });
  }

  /** Room for so many bytes more of a value that the present scan uses. @returns false: it is not to grow */
  grow(id: string, bytes: number): boolean {
    const entry = this.#entries.get(id);
    if (!entry || !this.hasRoom(bytes)) return false;
    entry.bytes += bytes;
    this.#total += bytes;
    return true;
  }

  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#total -= entry.bytes;
    this.#entries.delete(id);
    this.#free(entry.value);
  }

  dropAll(prefix: string): void {
    for (const id of [...this.#entries.keys()]) if (id.startsWith(prefix)) this.drop(id);
  }

  beginScan(): void {
    this.#scan += 1;
  }

  bytes(): number {
    return this.#total;
  }
}
