import { freeBuffer } from '../../../process/garbage.ts';

/** A visitor's id as the log stores it: the 16 bytes of a UUID, or text. */
export type StoredId = string | Uint8Array;

const ID_BYTES = 16;
/** Words of a slot: four of the id, then its number. Number 0 marks a free slot. */
const SLOT_WORDS = 5;
const NUMBER = 4;
const SLOTS_MIN = 256;

/**
 * Maps ids to numbers. Nearly all ids are UUIDs, kept in one integer array with open addressing: a tenth of the memory of a
 * map of strings, and nothing for the garbage collector to trace.
 */
export class IdTable {
  #slots = new Uint32Array(SLOTS_MIN * SLOT_WORDS);
  #uuids = 0;
  readonly #texts = new Map<string, number>();
  /** The id being looked up, most significant word first. */
  readonly #id = new Uint32Array(NUMBER);

  get size(): number {
    return this.#uuids + this.#texts.size;
  }

  /** Returns 0 when the id is absent. */
  find(id: StoredId): number {
    if (!isUuid(id)) return this.#texts.get(toText(id)) ?? 0;
    this.#read(id);
    return this.#slots[this.#slot() + NUMBER] as number;
  }

  /** @param number not 0 */
  set(id: StoredId, number: number): void {
    if (!isUuid(id)) return void this.#texts.set(toText(id), number);
    if (this.#uuids * SLOT_WORDS * 3 >= this.#slots.length * 2) this.#grow();
    this.#read(id);
    this.#put(number);
  }

  clear(): void {
    freeBuffer(this.#slots);
    this.#slots = new Uint32Array(SLOTS_MIN * SLOT_WORDS);
    this.#uuids = 0;
    this.#texts.clear();
  }

  /** Iterates in the order in which SQLite sorts the ids. */
  *inOrder(): Generator<[id: StoredId, number: number]> {
    yield* [...this.#texts].sort(([a], [b]) => (a < b ? -1 : 1));
    const slots = this.#slots;
    const taken = new Uint32Array(this.#uuids);
    let count = 0;
    for (let slot = 0; slot < slots.length; slot += SLOT_WORDS)
      if (slots[slot + NUMBER]) taken[count++] = slot;
    taken.sort((a, b) => compareWords(slots, a, b));
    for (const slot of taken) {
      const id = Buffer.allocUnsafe(ID_BYTES);
      for (let word = 0; word < NUMBER; word += 1) id.writeUInt32BE(slots[slot + word] as number, word * 4);
      yield [id, slots[slot + NUMBER] as number];
    }
  }

  #read(id: Uint8Array): void {
    for (let word = 0; word < NUMBER; word += 1) {
      // 16 bytes: see isUuid.
      const at = word * 4;
      this.#id[word] =
        ((id[at] as number) << 24) |
        ((id[at + 1] as number) << 16) |
        ((id[at + 2] as number) << 8) |
        (id[at + 3] as number);
    }
  }

  /** Returns the slot of the id that was read, or the free slot where it belongs. */
  #slot(): number {
    const [a, b, c, d] = this.#id as unknown as [number, number, number, number];
    const slots = this.#slots;
    let slot = (hash(a, b, c, d) % (slots.length / SLOT_WORDS)) * SLOT_WORDS;
    while (
      slots[slot + NUMBER] !== 0 &&
      (slots[slot] !== a || slots[slot + 1] !== b || slots[slot + 2] !== c || slots[slot + 3] !== d)
    )
      slot = slot + SLOT_WORDS === slots.length ? 0 : slot + SLOT_WORDS;
    return slot;
  }

  #put(number: number): void {
    const slot = this.#slot();
    if (this.#slots[slot + NUMBER] === 0) this.#uuids += 1;
    this.#slots.set(this.#id, slot);
    this.#slots[slot + NUMBER] = number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#uuids = 0;
    for (let slot = 0; slot < old.length; slot += SLOT_WORDS) {
      const number = old[slot + NUMBER] as number;
      if (number === 0) continue;
      this.#id.set(old.subarray(slot, slot + NUMBER));
      this.#put(number);
    }
    freeBuffer(old);
  }
}

function isUuid(id: StoredId): id is Uint8Array {
  return typeof id !== 'string' && id.length === ID_BYTES;
}

/** Throws on anything else: a row read in another form would get its visitor a second number. */
function toText(id: StoredId): string {
  if (typeof id === 'string') return id;
  throw new TypeError('An id is a text or the 16 bytes of a UUID.');
}

/** Hashes all four words: UUIDs may differ in a single word. */
function hash(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ b;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ c;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ d;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function compareWords(slots: Uint32Array, a: number, b: number): number {
  for (let word = 0; word < NUMBER; word += 1) {
    const difference = (slots[a + word] as number) - (slots[b + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
