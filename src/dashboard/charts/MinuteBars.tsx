import { formatCountLong, formatCountOf } from '../state/format.ts';

/** Minutes of the service's answer, oldest first. */
type Minute = { time: string; visitors: number };

type Props = { minutes: readonly Minute[] };

/**
 * Visitors of the last minutes, newest at the right. A bar is keyed by its minute, so with the next minute all
 * bars move by one and only the newest grows.
 */
export function MinuteBars({ minutes }: Props) {
  const largest = Math.max(1, ...minutes.map(({ visitors }) => visitors));
  const busiest = Math.max(0, ...minutes.map(({ visitors }) => visitors));
  const now = minutes.at(-1)?.visitors ?? 0;
  return (
    <div
      class="minutes"
      role="img"
      aria-label={`Visitors by minute, the last ${minutes.length} minutes: ${formatCountLong(now)} in this one, at most ${formatCountLong(busiest)}.`}
    >
      {busiest > 0 && <span class="minutes-top number">{formatCountLong(busiest)}</span>}
      {minutes.map(({ time, visitors }, index) => (
        <span
          key={time}
          class="minute"
          data-label={`${minutesAgo(minutes.length - 1 - index)}: ${formatCountOf(visitors, 'visitors')}`}
          style={{ '--part': visitors / largest }}
        />
      ))}
    </div>
  );
}

const minutesAgo = (count: number) => (count === 0 ? 'This minute' : `${count} min ago`);
