import type { KeysByDay } from './collect-selected.ts';

/** Events that one transaction removes from a log on a server: 50 ms of its writer when they lie far from each other. */
const KEYS_A_LIST = 1_000;

/** As `erasures.events` and `removals.events` have them: `{"20412":[7,8]}`, each of a bounded length. */
export function toKeyLists(byDay: KeysByDay): string[] {
  const lists: Record<string, number[]>[] = [];
  let room = 0;
  for (const [day, keys] of byDay)
    for (let start = 0; start < keys.length; ) {
      if (room === 0) {
        lists.push({});
        room = KEYS_A_LIST;
      }
      const part = keys.slice(start, start + room);
      const last = lists.at(-1);
      if (last) last[day] = part;
      start += part.length;
      room -= part.length;
    }
  return lists.map((list) => JSON.stringify(list));
}

/** SQL: the keys of a list, of whatever day. */
export function keysIn(list: string): string {
  return `SELECT atom FROM json_tree(${list}) WHERE atom IS NOT NULL`;
}

/** Adds what a list names. */
export function addKeyList(keysByDay: Map<number, Set<number>>, list: string): void {
  // Written by toKeyLists.
  for (const [day, keys] of Object.entries(JSON.parse(list) as Record<string, number[]>)) {
    const known = keysByDay.get(Number(day)) ?? new Set();
    for (const key of keys) known.add(key);
    keysByDay.set(Number(day), known);
  }
}
