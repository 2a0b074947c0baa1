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

/** SQL: the rows of a SELECT of `key` as runs of keys, `[[7,9],[12,12]]`. Events of an import have a few long ones. */
export function toRuns(rows: string): string {
  return `(SELECT json_group_array(json_array(first, last)) FROM (
    SELECT min(key) AS first, max(key) AS last FROM
      (SELECT key, key - row_number() OVER (ORDER BY key) AS run FROM (${rows})) GROUP BY run))`;
}

/** Reads keys, `[7,8]`, or runs of keys. Lists of earlier versions are by day, `{"20412":[7,8]}`. */
export function readKeyList(list: string): number[] {
  const entries = Object.values(JSON.parse(list) as (number | [number, number])[] | Record<string, number[]>);
  if (!list.startsWith('[[')) return entries.flat();
  return (entries as [number, number][]).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

/** SQL: the keys of a list, in either form. */
export function keysIn(list: string): string {
  return `SELECT atom FROM json_tree(${list}) WHERE atom IS NOT NULL`;
}
