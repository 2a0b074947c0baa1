import type { LocalDatabase } from './local-database.ts';

/** The first column of the first row, which is a number. */
export function readNumber(database: LocalDatabase, sql: string, parameters: unknown[] = []): number {
  const row = database.prepare(sql).raw().get(parameters) as unknown as number[];
  return Number(row[0]);
}
