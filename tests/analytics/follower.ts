import { Pool } from '../../src/analytics/embedded/memory/pool.ts';
import { Follower } from '../../src/analytics/embedded/write/follow.ts';
import { LIMITS } from '../../src/analytics/embedded/write/revise.ts';
import { createWebsites } from '../../src/analytics/embedded/write/websites.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { followLocal, type LogFollower } from '../../src/log/follower.ts';

/** The writing half of the engine by itself, so that a test chooses what comes between two of its steps. */
export function createTestFollower(database: LocalDatabase, log: Partial<LogFollower> = {}, limits = LIMITS) {
  const pool = new Pool(10_000_000);
  const websites = createWebsites(database, pool);
  const follower = new Follower({
    database,
    log: { ...followLocal(database), ...log },
    websites,
    pool,
    limits,
  });
  return Object.assign(follower, { pool, websites });
}

/** A database that does something on each commit; to throw is to be cut off there. */
export function onCommit(real: LocalDatabase, act: () => void): LocalDatabase {
  let isWriting = false;
  return new Proxy(real, {
    get(target, name) {
      if (name === 'exec')
        return (sql: string) => {
          if (sql.startsWith('BEGIN')) isWriting = sql === 'BEGIN IMMEDIATE';
          if (sql === 'COMMIT' && isWriting) act();
          return target.exec(sql);
        };
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
