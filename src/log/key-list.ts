/**
 * Events that one transaction removes. In a file of a million events, far from each other: 20 ms; 500 take 60, 1,000
 * take 100, in all as long.
 */
const KEYS_A_LIST = 250;

/** Splits keys into the lists of `erasures.events` and `removals.events`: JSON, ascending, each of bounded length. */
export function toKeyLists(keys: readonly number[]): string[] {
  const ascending = Float64Array.from(keys).sort(); // neighbours in the table go together
  const lists: string[] = [];
  for (let start = 0; start < ascending.length; start += KEYS_A_LIST)
    lists.push(JSON.stringify([...ascending.subarray(start, start + KEYS_A_LIST)]));
  return lists;
}

/** Lists of earlier versions are by day, `{"20412":[7,8]}`. */
export function readKeyList(list: string): number[] {
  return Object.values(JSON.parse(list) as number[] | Record<string, number[]>).flat();
}

/** SQL: the keys of a list, in either form. */
export function keysIn(list: string): string {
  return `SELECT atom FROM json_tree(${list}) WHERE atom IS NOT NULL`;
}
