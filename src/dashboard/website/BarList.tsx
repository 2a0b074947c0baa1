import type { ComponentChildren } from 'preact';
import { isPlainClick } from '../router.ts';
import { editOf, type FilterEdit } from './filter-edits.ts';

export type BarRow = {
  key: string;
  label: ComponentChildren;
  /** 0 to 1, of the longest. */
  part: number;
  value: string;
  /** What else is worth knowing: shown beside the value when the row is pointed at. */
  note?: string;
  /** Where a click leads; the row is no link without. */
  href?: string;
  /** The page that the row is about, on its own website. */
  external?: string | undefined;
  isChosen?: boolean;
};

type Props = {
  rows: BarRow[];
  onPick?: (key: string, edit: FilterEdit) => void;
};

/** Values with bars behind them. A click filters by one, with Alt it excludes, with Shift it adds. */
export function BarList({ rows, onPick }: Props) {
  return (
    <ul class="bars">
      {rows.map(({ key, label, part, value, note, href, external, isChosen }) => (
        <li key={key} class="bar-row">
          <span class="bar" style={{ width: `${Math.max(part * 100, 0.5)}%` }} />
          <span class="bar-label">
            {href && onPick ? (
              <a
                href={href}
                aria-current={isChosen ? 'true' : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || (!isPlainClick(event) && event.button !== 0)) return;
                  event.preventDefault(); // with Alt and Shift the browser would save or open a window
                  onPick(key, editOf(event));
                }}
              >
                <bdi>{label}</bdi>
              </a>
            ) : (
              <span>
                <bdi>{label}</bdi>
              </span>
            )}
            {external && (
              <a class="bar-open" href={external} target="_blank" rel="noopener noreferrer">
                <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
                  <path d="M6 3H3v10h10v-3M9 3h4v4M13 3L7 9" />
                </svg>
                <span class="unseen">Open {external}</span>
              </a>
            )}
          </span>
          {note && <span class="bar-note number">{note}</span>}
          <span class="bar-value number">{value}</span>
        </li>
      ))}
    </ul>
  );
}
