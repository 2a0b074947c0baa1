import type { Funnel } from '../../src/contract/metrics-funnel.ts';
import type { GoalStats } from '../../src/contract/metrics-goals.ts';
import type { Asked } from './ask.ts';
import type { Loaded } from './load.ts';
import { DAY_MS, LARGEST } from './questions.ts';
import { call, startService } from './service.ts';

/** Goals' rates and a funnel, of thirty days of the largest website, with what DuckDB says of the same events. */

const GOALS = 20;
const STEPS = 5;
const TARGET_MS = { goals: 60, funnel: 120 };

/** Adds goals for the website's most visited pages, unless they are there. */
export async function outcomes(loaded: Loaded): Promise<Asked[]> {
  const website = `/websites/${loaded.websites[LARGEST]?.id}`;
  const range = `from=${loaded.endMs - 30 * DAY_MS}&to=${loaded.endMs}&timezone=UTC`;
  const pages = await prepareGoals(loaded, website, range);
  const steps = pages.slice(0, STEPS).map((page) => [
    ['is', 'eventType', ['pageview']],
    ['is', 'page', [page]],
  ]);
  const where = `website = ${LARGEST + 1} AND created_at >= make_timestamp_ms(${loaded.endMs - 30 * DAY_MS})
    AND created_at < make_timestamp_ms(${loaded.endMs})`;
  return [
    {
      name: `${GOALS} goals and their rates, 30 days`,
      path: `${website}/stats/goals?${range}`,
      targetMs: TARGET_MS.goals,
      async rival({ connection }) {
        const found = await connection.runAndReadAll(
          `SELECT page::VARCHAR AS page, count(*)::DOUBLE AS conversions, count(DISTINCT visitor)::DOUBLE AS converters,
                  (SELECT count(DISTINCT visitor) FROM events WHERE ${where})::DOUBLE AS visitors
           FROM events WHERE ${where} AND type = 'pageview' AND page IN (${pages.map(quote).join(', ')}) GROUP BY page`,
        );
        const theirs = new Map(found.getRowObjectsJS().map((row) => [row.page, row]));
        return (ours) => compareGoals(ours as GoalStats, theirs); // what the route's schema promises
      },
    },
    {
      name: `a funnel of ${STEPS} pages by visitor, 30 days`,
      path: `${website}/stats/funnel?${range}&steps=${encodeURIComponent(JSON.stringify(steps))}`,
      targetMs: TARGET_MS.funnel,
      async rival({ connection }) {
        const found = await connection.runAndReadAll(toFunnelSql(pages.slice(0, STEPS), where));
        const [row = {}] = found.getRowObjectsJS();
        return (ours) => {
          const reached = (ours as Funnel).steps.map((step) => step.reached); // likewise
          return reached.flatMap((count, step) =>
            count === row[`s${step}`] ? [] : [`step ${step + 1}: ${count}, DuckDB ${row[`s${step}`]}`],
          );
        };
      },
    },
  ];
}

async function prepareGoals(loaded: Loaded, website: string, range: string): Promise<string[]> {
  const service = await startService(loaded.file);
  // What the routes' schemas promise.
  const { goals } = (await call(service, `${website}/goals`, loaded)) as { goals: { match: string }[] };
  const pages = goals.map(({ match }) => match);
  if (pages.length === 0) {
    const list = await call(service, `${website}/pages?${range}&limit=${GOALS}`, loaded);
    for (const { page } of (list as { pages: { page: string }[] }).pages) {
      await call(service, `${website}/goals`, { ...loaded, body: { name: page, type: 'page', match: page } });
      pages.push(page);
    }
  }
  await service.end();
  return pages;
}

function compareGoals(
  { goals, visitors }: GoalStats,
  theirs: ReadonlyMap<unknown, Record<string, unknown>>,
): string[] {
  return goals.flatMap(({ name, conversions, converters }) => {
    const row = theirs.get(name);
    const isSame =
      row?.conversions === conversions && row.converters === converters && row.visitors === visitors;
    return isSame
      ? []
      : [`${name}: ${conversions} by ${converters} of ${visitors}, DuckDB ${JSON.stringify(row)}`];
  });
}

/** The earliest event of each step after that of the step before, for each visitor. */
function toFunnelSql(pages: readonly string[], where: string): string {
  const steps = pages.map((page, step) =>
    step === 0
      ? `s0 AS (SELECT visitor, min(t) AS t FROM chosen WHERE page = ${quote(page)} GROUP BY visitor)`
      : `s${step} AS (SELECT visitor, min(chosen.t) AS t FROM chosen JOIN s${step - 1} before USING (visitor)
           WHERE page = ${quote(page)} AND chosen.t > before.t GROUP BY visitor)`,
  );
  const counts = pages.map((_, step) => `(SELECT count(*) FROM s${step})::DOUBLE AS s${step}`);
  return `WITH chosen AS (SELECT visitor, created_at AS t, page FROM events
            WHERE ${where} AND type = 'pageview' AND page IN (${pages.map(quote).join(', ')})),
          ${steps.join(',\n')} SELECT ${counts.join(', ')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
