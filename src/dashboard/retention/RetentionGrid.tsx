import type { Retention } from '../../metrics/reports/retention.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { addDays } from '../state/calendar-days.ts';
import { formatCountLong, formatPercent } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { dateIn } from '../state/ranges.ts';
import { formatRange } from '../state/time-format.ts';
import { FIRST_SEEN } from '../state/view-state.ts';

type Props = { place: Place; answer: Retention };

const TONES = 5;

/** A row for the mean and for each cohort, and a column for each point after its first, with figures on tones. */
export function RetentionGrid({ place, answer: { cohorts: all, means, interval, range } }: Props) {
  // Cohorts before the first visitor are left out.
  const cohorts = all.slice(all.findIndex(({ visitors }) => visitors > 0));
  const columns = cohorts[0]?.returned.length ?? 0;
  const afters = Array.from({ length: columns }, (_, after) => after);
  const highest = Math.max(0, ...cohorts.flatMap(({ rates }) => rates.slice(1)));
  // The square root separates small parts, which most are.
  const toneOf = (rate: number) =>
    rate === 0 || highest === 0 ? 0 : Math.ceil(Math.sqrt(rate / highest) * TONES);
  const lastDay = dateIn(Date.parse(range.to) - 1, range.timezone);
  const endOf = (index: number) => {
    const next = cohorts[index + 1];
    return next ? addDays(next.local.slice(0, 10), -1) : lastDay;
  };
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
            {afters.map((after) => (
              <th scope="col" class="number" key={after}>
                <span class="capital">{interval}</span> {after}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr class="retention-mean">
            <th scope="row">Mean</th>
            <td />
            {afters.map((after) => {
              const mean = means[after] ?? null;
              return (
                <td key={after} class={`number tone-${after === 0 || mean === null ? 0 : toneOf(mean)}`}>
                  {mean === null ? '–' : formatPercent(mean)}
                </td>
              );
            })}
          </tr>
          {cohorts.map(({ time, local, visitors, returned, rates, incomplete }, index) => {
            const dates = { from: local.slice(0, 10), to: endOf(index) };
            const name = formatRange({ ...range, from: time, to: cohorts[index + 1]?.time ?? range.to });
            return (
              <tr key={time}>
                <th scope="row">
                  {visitors === 0 ? (
                    name
                  ) : (
                    <Link
                      to={addressIn(place, '/visits', {
                        dates: { from: dates.from, to: lastDay },
                        filters: [{ operator: 'is', dimension: FIRST_SEEN, values: [dates.from, dates.to] }],
                      })}
                      title="Show the visits of these visitors"
                    >
                      {name}
                    </Link>
                  )}
                  {incomplete && (
                    <span class="quiet-text">
                      {index === cohorts.length - 1 ? ` ${interval} in progress` : ` partial ${interval}`}
                    </span>
                  )}
                </th>
                <td class="number">{formatCountLong(visitors)}</td>
                {afters.map((after) => {
                  const rate = rates[after];
                  if (rate === undefined || visitors === 0) return <td key={after} />;
                  const isOpen = cohorts[index + after]?.incomplete && after > 0;
                  const count = `${formatCountLong(returned[after] ?? 0)} of ${formatCountLong(visitors)}`;
                  return (
                    <td
                      key={after}
                      class={`number retention-cell tone-${after === 0 ? 0 : toneOf(rate)} ${isOpen ? 'open' : ''}`}
                      title={isOpen ? `${count} so far` : count}
                    >
                      {formatPercent(rate)}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
