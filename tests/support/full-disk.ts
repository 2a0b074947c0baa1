import type { LocalDatabase } from '../../src/db/local-database.ts';

/** A connection whose disk is full from a commit on, counted from 1, until it is emptied. */
export function onFullDisk(real: LocalDatabase) {
  let left = Number.POSITIVE_INFINITY;
  let wasFull = false;
  function exec(sql: string): unknown {
    if (sql === 'COMMIT') left -= 1;
    if (sql === 'COMMIT' && left <= 0) {
      wasFull = true;
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }
    return real.exec(sql);
  }
  const database = new Proxy(real, {
    get(target, name) {
      if (name === 'exec') return exec;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    database,
    fillAt(commit: number) {
      left = commit;
      wasFull = false;
    },
    /** @returns whether it was full */
    empty() {
      left = Number.POSITIVE_INFINITY;
      return wasFull;
    },
  };
}
