import { addDays, weekdayOf } from '../state/calendar-days.ts';
import { formatCountLong, formatCountOf } from '../state/format.ts';
import { dateIn } from '../state/ranges.ts';
import { formatDay } from '../state/time-format.ts';

type Props = {
  /** Instants at which visits began, the latest first. */
  visits: readonly string[];
  timezone: string;
  nowMs: number;
  /** Day whose visits alone are shown. */
  chosen?: string | undefined;
  /** Called with the day that is clicked, undefined when it was chosen. */
  onChoose: (day: string | undefined) => void;
};

const WEEKS_MAX = 26;
const WEEK_DAYS = 7;
/** Visits of a day above which it gets no darker. */
const LEVELS = 4;

/** Days of the last weeks, a column for each week, darker with more visits. Each with visits can be chosen. */
export function VisitCalendar({ visits, timezone, nowMs, chosen, onChoose }: Props) {
  const counts = new Map<string, number>();
  for (const at of visits) {
    const date = dateIn(Date.parse(at), timezone);
    counts.set(date, (counts.get(date) ?? 0) + 1);
  }
  const today = dateIn(nowMs, timezone);
  const monday = addDays(today, 1 - weekdayOf(today));
  const start = addDays(monday, -WEEK_DAYS * (WEEKS_MAX - 1));
  const days = Array.from({ length: WEEKS_MAX * WEEK_DAYS }, (_, index) => addDays(start, index));
  const seen = days.filter((date) => counts.has(date)).length;
  return (
    <fieldset
      class="visit-calendar"
      aria-label={`Visits on ${formatCountLong(seen)} of the last ${days.length} days`}
    >
      {days.map((date) => {
        const count = counts.get(date) ?? 0;
        const title = `${formatDay(`${date}T12:00Z`, 'UTC', nowMs)}: ${formatCountOf(count, 'visits')}`;
        if (count === 0)
          return <i key={date} class={date > today ? 'visit-day-future' : 'visit-day-0'} title={title} />;
        return (
          <button
            key={date}
            type="button"
            class={`visit-day-${Math.min(LEVELS, count)}`}
            title={title}
            aria-label={title}
            aria-pressed={date === chosen}
            onClick={() => onChoose(date === chosen ? undefined : date)}
          />
        );
      })}
    </fieldset>
  );
}
