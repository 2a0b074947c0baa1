import type { ComponentChildren } from 'preact';
import { toHref } from '../browser/base-path.ts';
import { ChangeText } from '../charts/ChangeText.tsx';
import { onLongPress } from '../components/long-press.ts';
import { editOf, type FilterEdit } from '../state/filter-edits.ts';
import { type Change, formatCount, unitOf } from '../state/format.ts';
import { openRowMenu, opensRowMenu, RowMenu } from './RowMenu.tsx';

export type BarRow = {
  key: string;
  label: ComponentChildren;
  /** Icon before the label. */
  mark?: ComponentChildren;
  /** Length as a part of the longest, 0 to 1. */
  part: number;
  value: string;
  /** Rate of the page's goal, a column of its own. */
  rate?: string;
  /** Share of all in percent, shown when there is room or the pointer is on the row. */
  share?: string;
  /** Change since the compared range. */
  change?: Change | undefined;
  /** A second figure. */
  /** The unit is singular, and hidden on phones. */
  note?: { count: number; unit: string };
  /** Revenue instead of the second figure. */
  money?: ComponentChildren;
  /** Address of the link; without it the row is not a link. */
  href?: string;
  /** Address of the row's page on the website. */
  external?: string | undefined;
  isChosen?: boolean;
};

type Props = {
  rows: BarRow[];
  /** Headings of the values, the counts and the rates: `Page`, `Visitors`, `Rate`. */
  heads?: string[];
  onPick?: (key: string, edit: FilterEdit) => void;
};

/** Values with bars behind them. A click filters by one; with Alt it excludes, with Shift it adds. */
export function BarList({ rows, heads, onPick }: Props) {
  return (
    <>
      {heads && rows.length > 0 && (
        <p class="bars-head" aria-hidden="true">
          {heads.map((head, index) => (
            <span key={head} class={index === 2 ? 'bar-rate' : undefined}>
              {head}
            </span>
          ))}
        </p>
      )}
      <ul class="bars">
        {rows.map(
          ({ key, label, mark, part, value, rate, share, change, note, money, href, external, isChosen }) => (
            <li key={key} class="bar-row">
              <span class="bar" style={{ width: `${Math.max(part * 100, 0.5)}%` }} />
              <span class="bar-label">
                {mark}
                {href && onPick ? (
                  <a
                    class="bar-name"
                    href={toHref(href)}
                    aria-current={isChosen ? 'true' : undefined}
                    aria-keyshortcuts="ArrowRight"
                    {...onLongPress(openRowMenu)}
                    onKeyDown={(event) => {
                      if (!opensRowMenu(event)) return;
                      event.preventDefault();
                      event.stopPropagation(); // arrows also change the period
                      openRowMenu(event.currentTarget);
                    }}
                    onClick={(event) => {
                      if (event.metaKey || event.ctrlKey || event.button !== 0) return;
                      event.preventDefault(); // with Alt and Shift the browser would save or open a window
                      onPick(key, editOf(event));
                    }}
                  >
                    <bdi>{label}</bdi>
                  </a>
                ) : (
                  <span class="bar-name">
                    <bdi>{label}</bdi>
                  </span>
                )}
              </span>
              {href && onPick && (
                <RowMenu
                  name={typeof label === 'string' ? label : key}
                  external={external}
                  onPick={(edit) => onPick(key, edit)}
                />
              )}
              {money && <span class="bar-note number">{money}</span>}
              {note && (
                <span class="bar-note number">
                  {formatCount(note.count)}
                  <span class="bar-unit">
                    {' '}
                    {note.unit}
                    {note.count === 1 ? '' : 's'}
                  </span>
                </span>
              )}
              {share && <span class="bar-note bar-share number">{share}</span>}
              {change && (
                <span class="bar-note bar-change number">
                  <ChangeText change={change} isBetterLow={false} />
                </span>
              )}
              <span class="bar-value number">
                {value}
                {heads && <span class="unseen"> {unitOf(value, (heads[1] ?? '').toLowerCase())}</span>}
              </span>
              {rate && (
                <span class="bar-rate number">
                  {rate}
                  <span class="unseen"> conversion rate</span>
                </span>
              )}
            </li>
          ),
        )}
      </ul>
    </>
  );
}
