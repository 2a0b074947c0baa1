import type { Retention } from '../../metrics/reports/retention.ts';
import { formatCountLong, formatPercent } from '../state/format.ts';
import { formatRange } from '../state/time-format.ts';

/** A row for each cohort and a column for each point after its first, with figures on shades. */
export function RetentionGrid({ cohorts: all, interval, range }: Retention) {
  // Cohorts before the first visitor are left out.
  const cohorts = all.slice(all.findIndex(({ visitors }) => visitors > 0));
  const columns = cohorts[0]?.returned.length ?? 0;
  return (
    <section
      class="table-scroll"
      aria-label="Cohorts"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
    >
      <table class="table retention">
        <thead>
          <tr>
            <th scope="col">First seen</th>
            <th scope="col" class="number">
              Visitors
            </th>
            {Array.from({ length: columns }, (_, after) => (
              <th scope="col" class="number" key={after}>
                <span class="capital">{interval}</span> {after}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ time, visitors, returned, rates, incomplete }, index) => (
            <tr key={time}>
              <th scope="row">
                {formatRange({ ...range, from: time, to: cohorts[index + 1]?.time ?? range.to })}
                {incomplete && (
                  <span class="quiet-text">
                    {index === cohorts.length - 1 ? ` ${interval} in progress` : ` partial ${interval}`}
                  </span>
                )}
              </th>
              <td class="number">{formatCountLong(visitors)}</td>
              {Array.from({ length: columns }, (_, after) => {
                const rate = rates[after];
                if (rate === undefined || visitors === 0) return <td key={after} />;
                return (
                  <td
                    key={after}
                    class="number retention-cell"
                    // The square root separates small parts, which most are.
                    style={{ '--part': String(after === 0 ? 0 : Math.sqrt(rate)) }}
                    title={`${formatCountLong(returned[after] ?? 0)} of ${formatCountLong(visitors)}`}
                  >
                    {formatPercent(rate)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
