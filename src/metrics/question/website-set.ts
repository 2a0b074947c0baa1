import { ALL_WEBSITES } from '../../access/set-id.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import { AppError } from '../../vocabulary/errors.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { quote } from './dimensions.ts';

/** A website of a set: filters name it by its id or its name, and answers by its name. */
export type Member = { key: number; id: string; name: string };

/** Names that the name of a set lists. */
const NAMED_MAX = 3;

/** @throws AppError NOT_FOUND when the caller has none, or not one of them */
export function findMembers(rows: readonly WebsiteRow[], id: string): WebsiteRow[] {
  const ids = new Set(id.split(','));
  const members = id === ALL_WEBSITES ? [...rows] : rows.filter((row) => ids.has(row.id));
  if (members.length === 0 || (id !== ALL_WEBSITES && members.length < ids.size))
    throw new AppError('NOT_FOUND', 'Website not found');
  return members;
}

/** Stands for a set where a website is expected. It has no goals, segments or annotations, because its key has none. */
export function toSetRow(members: readonly WebsiteRow[], id: string): WebsiteRow {
  const [first] = members;
  if (!first) throw new Error('A set without websites.');
  return {
    ...first,
    key: 0,
    id,
    name: id === ALL_WEBSITES ? 'All websites' : toSetName(members),
    domain: '',
    domainKey: '',
    description: '',
    trackingCode: '',
    timezone: findTimezone(members),
    isPublic: false,
    publicHides: [],
  };
}

function toSetName(members: readonly WebsiteRow[]): string {
  const names = members.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = members.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Returns the time zone of most of the websites. */
function findTimezone(members: readonly WebsiteRow[]): string {
  const zones = [...Map.groupBy(members, ({ timezone }) => timezone)];
  const [most] = zones.sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 'UTC';
}

/** Gives each website a name of its own: those that share one get their domain as well. */
export function toMembers(rows: readonly WebsiteRow[]): Member[] {
  const byName = Map.groupBy(rows, ({ name }) => name);
  return rows.map(({ key, id, name, domainKey }) => ({
    key,
    id,
    name: (byName.get(name)?.length ?? 0) > 1 ? `${name} (${domainKey})` : name,
  }));
}

type Found = { filter: Filter } | { part: number; sentence: string };

/** Converts a condition on websites, by id or name. */
export function findWebsites(
  members: readonly Member[] | undefined,
  operator: unknown,
  values: readonly string[],
): Found {
  if (!members) return { part: 1, sentence: 'website can be asked of several websites, as /websites/all' };
  if (operator !== 'is' && operator !== 'is_not')
    return { part: 0, sentence: 'website can be asked with is and is_not' };
  const websiteKeys: number[] = [];
  for (const value of values) {
    const member = members.find(({ id }) => id === value) ?? members.find(({ name }) => name === value);
    if (!member) return { part: 2, sentence: `Unknown website ${quote(value)}` };
    websiteKeys.push(member.key);
  }
  const filter: Filter = { op: 'website', websiteKeys };
  return { filter: operator === 'is' ? filter : { op: 'not', filter } };
}
