import { LARGEST } from '../questions.ts';

/** The events of the largest website in [fromMs, toMs). */
export function toWhere(fromMs: number, toMs: number): string {
  return `website = ${LARGEST + 1} AND created_at >= make_timestamp_ms(${fromMs})
    AND created_at < make_timestamp_ms(${toMs})`;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Differences between two answers: missing names and other counts. */
export function compareCounts(
  ours: ReadonlyMap<string, unknown>,
  theirs: ReadonlyMap<string, unknown>,
): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map((name) => `${name}: ${ours.get(name)}, DuckDB ${theirs.get(name)}`);
}
