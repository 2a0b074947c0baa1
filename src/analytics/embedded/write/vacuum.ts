import type { LocalDatabase } from '../../../db/local-database.ts';
import type { StoredId } from '../../../log/follower.ts';
import { turn } from '../../../process/garbage.ts';
import { DICTIONARIES } from '../../dimensions.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { UsedCodes } from '../dictionary/used-codes.ts';
import { propertyScopeOf, scopeOf, scopesOf } from '../dictionary/website-dictionaries.ts';
import type { Pool } from '../memory/pool.ts';
import { EVENT_CODES, FACT_DIMENSIONS, LOCAL_DICTIONARIES } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { NewEvent } from './new-event.ts';
import { transact } from './transact.ts';
import type { Website } from './website.ts';

/** Maximum rows read in one transaction. */
const ROWS_A_STEP = 1_000;

/**
 * Removes texts and visitors from a website's dictionaries that no segment refers to: page addresses may contain personal
 * data, and must not outlive their events. Questions and events may run in between; what they look up counts as used.
 */
export function createVacuum(database: LocalDatabase, pool: Pool) {
  const listScopes = database
    .prepare('SELECT DISTINCT scope FROM terms WHERE scope >= ? AND scope < ? ORDER BY scope')
    .raw();
  const listTerms = database
    .prepare(`SELECT code FROM terms WHERE scope = ? AND code > ? ORDER BY code LIMIT ${ROWS_A_STEP}`)
    .raw();
  const deleteTerm = database.prepare('DELETE FROM terms WHERE scope = ? AND code = ?');
  // Any text and any blob sorts after its leading number.
  const listVisitors = database
    .prepare(
      `SELECT visitor_id, code FROM visitors
       WHERE website_key = ? AND visitor_id > ?
       ORDER BY visitor_id
       LIMIT ${ROWS_A_STEP}`,
    )
    .raw();
  const deleteVisitor = database.prepare('DELETE FROM visitors WHERE website_key = ? AND visitor_id = ?');

  return async function vacuum(website: Website): Promise<void> {
    const { dictionaries, key } = website;
    const byScope = openAll(website);
    const used = new Map([...byScope].map(([scope, { count }]) => [scope, new UsedCodes(count)]));
    const usedVisitors = new UsedCodes(dictionaries.visitors.count);
    for (const [scope, dictionary] of byScope) dictionary.beginVacuum(used.get(scope) as UsedCodes);
    dictionaries.visitors.beginVacuum(usedVisitors);
    for (const event of website.waiting) markWaiting(key, event, used, usedVisitors);
    const mark = (segment: Segment) => pool.use(segment, () => markUsed(key, segment, used, usedVisitors));
    const looked = website.segments;
    for (const segment of looked) {
      if (website.segments.includes(segment)) mark(segment);
      await turn();
      if (website.isForgotten) return; // everything is derived again
    }
    for (const segment of website.segments) if (!looked.includes(segment)) mark(segment);
    for (const [scope, dictionary] of byScope) await removeTerms(website, scope, dictionary);
    await removeVisitors(website);
    for (const dictionary of byScope.values()) dictionary.endVacuum();
    dictionaries.endVacuum();
  };

  function openAll({ dictionaries, key }: Website): Map<number, Dictionary> {
    const byScope = new Map<number, Dictionary>();
    for (const name of DICTIONARIES) byScope.set(scopeOf(key, name), dictionaries.get(name));
    const firstProperty = propertyScopeOf(key, 0);
    for (const [scope] of listScopes.all([...scopesOf(key)]) as [number][])
      if (scope >= firstProperty) byScope.set(scope, dictionaries.property(scope - firstProperty));
    return byScope;
  }

  async function removeTerms(website: Website, scope: number, dictionary: Dictionary): Promise<void> {
    for (let after = 0; ; ) {
      const codes = (listTerms.all([scope, after]) as [number][]).map(([code]) => code); // the column that it selects
      await transact(database, () => {
        if (website.isForgotten) return;
        for (const code of codes) if (dictionary.retire(code)) deleteTerm.run([scope, code]);
      });
      if (codes.length < ROWS_A_STEP) return;
      after = codes.at(-1) ?? after;
      await turn();
    }
  }

  async function removeVisitors(website: Website): Promise<void> {
    const {
      key,
      dictionaries: { visitors },
    } = website;
    for (let after: StoredId | number = 0; ; ) {
      const rows = listVisitors.all([key, after]) as [id: StoredId, code: number][]; // the columns that it selects
      await transact(database, () => {
        if (website.isForgotten) return;
        for (const [id, code] of rows) if (visitors.retire(code)) deleteVisitor.run([key, id]);
      });
      if (rows.length < ROWS_A_STEP) return;
      after = rows.at(-1)?.[0] ?? after;
      await turn();
    }
  }
}

function markWaiting(
  websiteKey: number,
  event: NewEvent,
  used: ReadonlyMap<number, UsedCodes>,
  visitors: UsedCodes,
): void {
  const add = (scope: number, code: number) => {
    used.get(scope)?.add(code);
  };
  for (const name of EVENT_CODES) add(scopeOf(websiteKey, name), event[name]);
  FACT_DIMENSIONS.forEach((name, index) => {
    add(scopeOf(websiteKey, name), event.facts[index] as number);
  });
  for (const { key, value } of event.properties) {
    add(scopeOf(websiteKey, 'propertyKey'), key);
    add(propertyScopeOf(websiteKey, key), value);
  }
  visitors.add(event.visitor);
}

function markUsed(
  websiteKey: number,
  segment: Segment,
  used: ReadonlyMap<number, UsedCodes>,
  visitors: UsedCodes,
): void {
  for (const name of LOCAL_DICTIONARIES) used.get(scopeOf(websiteKey, name))?.addAll(segment.codes(name));
  const keys = used.get(scopeOf(websiteKey, 'propertyKey'));
  for (const [key, { codes }] of segment.properties()) {
    keys?.add(key);
    used.get(propertyScopeOf(websiteKey, key))?.addAll(codes);
  }
  visitors.addAll(segment.column('visitor'));
}
