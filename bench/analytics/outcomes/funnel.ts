import type { Funnel } from '../../../src/metrics/reports/funnel.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { quote } from './sql.ts';

const STEPS = 5;
const TARGET_MS = 120;
const WINDOW_HOURS = 24;

/** Within a day of the first step: DuckDB finds the latest attempt at each step by window functions. */
export function askFunnel(context: OutcomeContext): Asked {
  return {
    ...ask(context, toWindowSql, `&window=${WINDOW_HOURS}h`),
    name: `a funnel of ${STEPS} pages by visitor, within a day, 30 days`,
    targetMs: TARGET_MS,
    hasRatioTarget: false,
  };
}

/** Without a window the earliest event of each step is enough, which DuckDB finds by joins. */
export function askFunnelWithoutWindow(context: OutcomeContext): Asked {
  return { ...ask(context, toJoinSql), name: '  without a window' };
}

function ask(
  { website, range, where, pages }: OutcomeContext,
  toSql: (pages: readonly string[]) => string,
  parameters = '',
): Omit<Asked, 'name'> {
  const chosen = pages.slice(0, STEPS);
  const steps = chosen.map((page) => [
    ['is', 'eventType', ['pageview']],
    ['is', 'page', [page]],
  ]);
  const statement = `WITH chosen AS (SELECT visitor, created_at AS t, page FROM events
      WHERE ${where} AND type = 'pageview' AND page IN (${chosen.map(quote).join(', ')})),
    ${toSql(chosen)}`;
  return {
    path: `${website}/stats/funnel?${range}&steps=${encodeURIComponent(JSON.stringify(steps))}${parameters}`,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(statement);
      const [row = {}] = found.getRowObjectsJS();
      return (ours) => {
        const reached = (ours as Funnel).steps.map((step) => step.reached); // what the route's schema promises
        return reached.flatMap((count, step) =>
          count === row[`s${step}`] ? [] : [`step ${step + 1}: ${count}, DuckDB ${row[`s${step}`]}`],
        );
      };
    },
  };
}

/** When each step's attempt began; where several reached the step, the one that began last. */
function toWindowSql(pages: readonly string[]): string {
  const steps = pages.map((page, step) => {
    const isStep = `page = ${quote(page)}`;
    if (step === 0) return `s0 AS (SELECT *, CASE WHEN ${isStep} THEN t END AS b0 FROM chosen)`;
    const before = `max(b${step - 1}) OVER earlier`;
    return `s${step} AS (
      SELECT *, CASE WHEN ${isStep} AND t - ${before} <= INTERVAL ${WINDOW_HOURS} HOURS THEN ${before} END AS b${step}
      FROM s${step - 1}
      WINDOW earlier AS (PARTITION BY visitor ORDER BY t ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))`;
  });
  const counts = pages.map(
    (_, step) => `count(DISTINCT visitor) FILTER (b${step} IS NOT NULL)::DOUBLE AS s${step}`,
  );
  return `${steps.join(',\n')} SELECT ${counts.join(', ')} FROM s${pages.length - 1}`;
}

/** The earliest event of each step after that of the step before, for each visitor. */
function toJoinSql(pages: readonly string[]): string {
  const steps = pages.map((page, step) =>
    step === 0
      ? `s0 AS (SELECT visitor, min(t) AS t FROM chosen WHERE page = ${quote(page)} GROUP BY visitor)`
      : `s${step} AS (SELECT visitor, min(chosen.t) AS t FROM chosen JOIN s${step - 1} before USING (visitor)
           WHERE page = ${quote(page)} AND chosen.t > before.t GROUP BY visitor)`,
  );
  const counts = pages.map((_, step) => `(SELECT count(*) FROM s${step})::DOUBLE AS s${step}`);
  return `${steps.join(',\n')} SELECT ${counts.join(', ')}`;
}
