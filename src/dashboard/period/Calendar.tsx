import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addDays, addMonths, daysOfMonth, monthOf, weekdayOf } from '../state/calendar-days.ts';
import { formatFullDay, formatMonth } from '../state/time-format.ts';

type Props = {
  /** The chosen days, YYYY-MM-DD, both included. */
  first: string;
  last: string;
  /** The last day that can be chosen. */
  today: string;
  onChoose: (first: string, last: string) => void;
};

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/**
 * A month of days. Two clicks choose a range, in any order. One day is in the tab
 * order; arrow keys move by days, Page Up and Page Down by months.
 */
export function Calendar({ first, last, today, onChoose }: Props) {
  const [month, setMonth] = useState(monthOf(last));
  const [begun, setBegun] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const grid = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (focused) grid.current?.querySelector<HTMLElement>(`[data-date="${focused}"]`)?.focus();
  }, [focused]);

  function choose(date: string): void {
    setBegun(begun === undefined ? date : undefined);
    if (begun !== undefined) onChoose(date < begun ? date : begun, date < begun ? begun : date);
  }

  function move(event: KeyboardEvent, date: string): void {
    const moves: Record<string, string> = {
      ArrowLeft: addDays(date, -1),
      ArrowRight: addDays(date, 1),
      ArrowUp: addDays(date, -7),
      ArrowDown: addDays(date, 7),
      PageUp: addMonths(date, -1),
      PageDown: addMonths(date, 1),
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (next > today) return;
    setMonth(monthOf(next));
    setFocused(next);
  }

  const days = daysOfMonth(month);
  const [from, to] = begun === undefined ? [first, last] : [begun, begun];
  const stop =
    [focused, to].find((date) => date !== undefined && monthOf(date) === month) ?? (days[0] as string); // a month has days
  return (
    <section class="calendar" aria-label={formatMonth(`${month}-01`)} ref={grid}>
      <div class="calendar-head">
        <MonthButton name="Previous month" path="M10 3L5 8l5 5" onTurn={() => setMonth(turn(month, -1))} />
        <span aria-live="polite">{formatMonth(`${month}-01`)}</span>
        <MonthButton
          name="Next month"
          path="M6 3l5 5-5 5"
          isEnd={month >= monthOf(today)}
          onTurn={() => setMonth(turn(month, 1))}
        />
      </div>
      <div class="calendar-days">
        {WEEKDAYS.map((name) => (
          <span key={name} class="calendar-weekday" aria-hidden="true">
            {name}
          </span>
        ))}
        {days.map((date, index) => (
          <button
            key={date}
            type="button"
            class="calendar-day"
            data-date={date}
            data-weekday={index === 0 ? weekdayOf(date) : undefined}
            aria-label={formatFullDay(date)}
            aria-pressed={date >= from && date <= to}
            disabled={date > today}
            tabIndex={date === stop ? 0 : -1}
            onClick={() => choose(date)}
            onKeyDown={(event) => move(event, date)}
          >
            {Number(date.slice(-2))}
          </button>
        ))}
      </div>
      <p class="calendar-hint quiet-text" role="status">
        {begun === undefined ? '' : `From ${formatFullDay(begun)}: choose the last day`}
      </p>
    </section>
  );
}

const turn = (month: string, by: -1 | 1) => monthOf(addMonths(`${month}-01`, by));

type MonthButtonProps = { name: string; path: string; isEnd?: boolean; onTurn: () => void };

function MonthButton({ name, path, isEnd = false, onTurn }: MonthButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      disabled={isEnd}
      onClick={onTurn}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}
