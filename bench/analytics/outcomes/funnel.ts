import type { Funnel } from '../../../src/contract/metrics-funnel.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { quote } from './sql.ts';

const STEPS = 5;
const TARGET_MS = 120;

export function askFunnel({ website, range, where, pages }: OutcomeContext): Asked {
  const chosen = pages.slice(0, STEPS);
  const steps = chosen.map((page) => [
    ['is', 'eventType', ['pageview']],
    ['is', 'page', [page]],
  ]);
  return {
    name: `a funnel of ${STEPS} pages by visitor, 30 days`,
    path: `${website}/stats/funnel?${range}&steps=${encodeURIComponent(JSON.stringify(steps))}`,
    targetMs: TARGET_MS,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(toFunnelSql(chosen, where));
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
