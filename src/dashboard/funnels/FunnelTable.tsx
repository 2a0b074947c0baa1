import type { ComponentChildren } from 'preact';
import { Link } from '../components/Link.tsx';
import { formatCountLong, formatPercent } from '../state/format.ts';

/** `reached` counts, for each step, how many reached it. */
export type FunnelRow = {
  key: string;
  label: string;
  note?: string | undefined;
  /** Icon before the label. */
  mark?: ComponentChildren;
  /** Address that the label leads to. */
  to?: string;
  reached: readonly number[];
};

type Props = {
  name: string;
  /** Heading of the rows. */
  head: string;
  steps: readonly string[];
  rows: readonly FunnelRow[];
  /** Sorts by completion when it is called. */
  onSort?: () => void;
  isSorted?: boolean;
};

/** A row for each point or group, a column for each step, and the completed part. */
export function FunnelTable({ name, head, steps, rows, onSort, isSorted = false }: Props) {
  const best = Math.max(0, ...rows.map(({ reached }) => partThrough(reached)));
  return (
    <section
      class="table-scroll"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
    >
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" class="number" aria-sort={isSorted ? 'descending' : undefined}>
              {onSort ? (
                <button type="button" class="plain" aria-pressed={isSorted} onClick={onSort}>
                  Completed
                </button>
              ) : (
                'Completed'
              )}
            </th>
            {steps.map((step, index) => (
              <th key={index} scope="col" class="number">
                <bdi>{step}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, note, mark, to, reached }) => (
            <tr key={key}>
              <th scope="row">
                {mark}
                {to ? (
                  <Link to={to}>
                    <bdi>{label}</bdi>
                  </Link>
                ) : (
                  <bdi>{label}</bdi>
                )}
                {note && <span class="goal-about">{note}</span>}
              </th>
              <td
                class="number shaded"
                style={{ '--part': String(best > 0 ? partThrough(reached) / best : 0) }}
              >
                {reached[0] ? formatPercent(partThrough(reached)) : '–'}
              </td>
              {reached.map((count, index) => (
                <td key={index} class="number">
                  {formatCountLong(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The part of those who entered that reached the last step. */
export function partThrough(reached: readonly number[]): number {
  return reached[0] ? (reached.at(-1) ?? 0) / reached[0] : 0;
}
