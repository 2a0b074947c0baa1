import { expect } from 'bun:test';
import { sql } from 'drizzle-orm';
import type { Db } from '../../src/db/open.ts';
import type { LogFollower, LogPage, LogPosition } from '../../src/log/follower.ts';

export const START: LogPosition = { eventKey: 0, removalKey: 0 };
/** A deadline that is over. */
export const PAST = 0;
/** Events that an erasure removes at once. */
export const LIST = 250;

/** Events of the website 1, without going through the log: many. */
export async function fill(db: Db, count: number): Promise<void> {
  await db.run(sql`
    insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    select randomblob(16), 1, i, i % 3, '/' || i, 's', 'v' from n`);
  await db.run(sql`insert into event_counts select 1, type, count(*) from events group by type`);
}

export async function readAll(follower: LogFollower): Promise<LogPage[]> {
  const pages: LogPage[] = [];
  for (let eventKey = 0; pages.at(-1)?.isLast !== true; ) {
    const page = await follower.read({ eventKey, removalKey: 0 });
    eventKey = page.events.at(-1)?.key ?? eventKey;
    pages.push(page);
  }
  return pages;
}

export async function erase(follower: LogFollower, websiteKey: number, keys: number[]): Promise<void> {
  await follower.orderErasure(websiteKey, keys);
  expect(await follower.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
}

export async function expectRightCounts(db: Db): Promise<void> {
  const counted = await db.all(
    sql`select website_key, type, count from event_counts where count <> 0 order by 1, 2`,
  );
  expect(counted).toEqual(
    await db.all(sql`select website_key, type, count(*) as count from events group by 1, 2 order by 1, 2`),
  );
}

/** Whole numbers, half-open. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

export function ascending(numbers: number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

export function keysOf({ events }: LogPage): number[] {
  return events.map(({ key }) => key);
}

export function removedIn({ removals }: LogPage): number[] {
  return removals.flatMap(({ keys = [] }) => keys);
}
