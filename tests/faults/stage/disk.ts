import type { Random } from '../../../src/demo/random.ts';
import type { Deed } from './write-journal.ts';

/** Survival of unsynced writes in a power cut; all of it is left when only the process is killed. */
export type Survival = 'nothing' | 'anything' | 'everything';

const SECTOR_BYTES = 512;
const SURVIVES = 0.5;
const TORN_SHARE = 0.2;

/**
 * A disk with a cache: a write is durable when its file was synced after it. Deeds are replayed in order; at any
 * moment it can be asked what a power cut would leave.
 */
export function createDisk() {
  const files = new Map<string, { durable: Content | undefined; pending: Deed[] }>();

  return {
    perform(deed: Deed): void {
      const file = files.get(deed.file) ?? { durable: undefined, pending: [] };
      files.set(deed.file, file);
      if (deed.what !== 'sync') {
        file.pending.push(deed);
        return;
      }
      file.durable ??= createContent();
      for (const pending of file.pending) file.durable = apply(file.durable, pending);
      file.pending = [];
    },

    /** The files that are there when the power is back. */
    cutPower(survival: Survival, random: Random): Map<string, Uint8Array> {
      const left = new Map<string, Uint8Array>();
      for (const [name, { durable, pending }] of files) {
        let content = durable?.copy();
        if (survival === 'everything') for (const deed of pending) content = apply(content, deed);
        if (survival === 'anything')
          for (const deed of pending)
            if (random.chance(SURVIVES)) content = applyTorn(content ?? createContent(), deed, random);
        if (content) left.set(name, content.bytes());
      }
      return left;
    },
  };
}

type Content = ReturnType<typeof createContent>;

function createContent(initial: Uint8Array = new Uint8Array()) {
  let room = initial;
  let size = initial.length;
  return {
    write(offset: number, bytes: Uint8Array): void {
      const end = offset + bytes.length;
      if (end > room.length) {
        const larger = new Uint8Array(Math.max(end, room.length * 2));
        larger.set(room.subarray(0, size));
        room = larger;
      }
      room.set(bytes, offset);
      size = Math.max(size, end);
    },
    resize(to: number): void {
      if (to < size) room.fill(0, to, size);
      else if (to > room.length) this.write(to - 1, new Uint8Array(1));
      size = to;
    },
    copy: () => createContent(room.slice(0, size)),
    bytes: () => room.subarray(0, size),
  };
}

function apply(content: Content | undefined, deed: Deed): Content | undefined {
  if (deed.what === 'unlink') return undefined;
  const kept = content ?? createContent();
  if (deed.what === 'write') kept.write(deed.offset, deed.bytes);
  if (deed.what === 'truncate') kept.resize(deed.size);
  return kept;
}

/** Applies only some sectors of some writes. */
function applyTorn(content: Content, deed: Deed, random: Random): Content | undefined {
  if (deed.what !== 'write' || !random.chance(TORN_SHARE)) return apply(content, deed);
  for (let start = 0; start < deed.bytes.length; start += SECTOR_BYTES)
    if (random.chance(SURVIVES))
      content.write(deed.offset + start, deed.bytes.subarray(start, start + SECTOR_BYTES));
  return content;
}
