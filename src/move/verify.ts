import type { Analytics } from '../analytics/analytics.ts';
import type { Holding } from '../log/event-pages.ts';
import { OTHER } from '../vocabulary/analytics.ts';
import { findDifference } from './difference.ts';
import { listQuestions } from './questions.ts';

/** Websites of which the logs hold different numbers of events. */
export type Counted = {
  /** Websites with as many events in both. */
  equal: Holding[];
  /** More where they come from: these were not copied. */
  missing: { websiteKey: number; from: number; to: number }[];
  /** Websites with more events in the target: its own events, or events since removed from the source. */
  added: { websiteKey: number; from: number; to: number }[];
};

export function compareHoldings(from: readonly Holding[], to: readonly Holding[]): Counted {
  const counts = new Map(to.map(({ websiteKey, events }) => [websiteKey, events]));
  const pairs = from.map((holding) => ({ holding, other: counts.get(holding.websiteKey) ?? 0 }));
  const toPair = ({ holding: { websiteKey, events }, other }: (typeof pairs)[number]) => ({
    websiteKey,
    from: events,
    to: other,
  });
  return {
    equal: pairs.filter(({ holding, other }) => holding.events === other).map(({ holding }) => holding),
    missing: pairs.filter(({ holding, other }) => holding.events > other).map(toPair),
    added: pairs.filter(({ holding, other }) => holding.events < other).map(toPair),
  };
}

/**
 * Asks both engines about websites of which they hold the same events.
 *
 * @returns how many answers were compared. One in which the embedded engine has folded texts is not: ClickHouse folds none
 * @throws Error with the first difference
 */
export async function compareAnswers(
  holdings: readonly Holding[],
  engines: { database: Analytics; server: Analytics },
  count: number,
): Promise<number> {
  if (holdings.length === 0) return 0;
  let compared = 0;
  for (const { name, ask } of listQuestions(holdings, count)) {
    const [own, other] = [await ask(engines.database), await ask(engines.server)];
    if (JSON.stringify(own, withBigInts).includes(JSON.stringify(OTHER))) continue;
    const difference = findDifference(own, other);
    if (difference)
      throw new Error(`The answers differ (${name}). The database and the server say: ${difference}.`);
    compared += 1;
  }
  return compared;
}

function withBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
