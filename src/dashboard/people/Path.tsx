import { useMemo } from 'preact/hooks';
import type { Activity, Visit } from '../../contract/metrics/lists.ts';
import { REVENUE_KEY } from '../../vocabulary/analytics.ts';
import { formatCountOf, formatDuration, formatMoney } from '../state/format.ts';
import { formatClock, formatInstant } from '../state/time-format.ts';
import { toVisibleText } from '../state/visible-text.ts';
import { byDay } from './days.ts';
import { EVENT_WORDS } from './origin.ts';
import { Source } from './Source.tsx';
import { byVisit } from './visit-days.ts';

type Props = {
  /** Events in the order they are shown, oldest or newest first. */
  events: readonly Activity[];
  timezone: string;
  /** Visits that the events are grouped by, instead of by day. */
  visits?: readonly Visit[] | undefined;
};

const DAY_S = 86_400;

/** Events step by step, with their times and the gaps between them. */
export function Path({ events, timezone, visits }: Props) {
  const nowMs = useMemo(Date.now, [events]);
  const gaps = gapsOf(events);
  const steps = (of: readonly Activity[]) =>
    of.map((event) => <Step key={event.id} event={event} timezone={timezone} gapS={gaps.get(event.id)} />);
  return (
    <ol class="path">
      {visits
        ? byVisit(events, visits).flatMap(({ visit, events: own }) => [
            visit && <VisitHead key={visit.startedAt} visit={visit} timezone={timezone} />,
            ...steps(own),
          ])
        : byDay(events, ({ createdAt }) => createdAt, timezone, nowMs).flatMap(({ day, rows }) => [
            <li key={day} class="path-day quiet-text">
              {day}
            </li>,
            ...steps(rows),
          ])}
    </ol>
  );
}

/** When a visit began, where it came from, and how much it was. */
function VisitHead({ visit, timezone }: { visit: Visit; timezone: string }) {
  const { startedAt, endedAt, pageviews } = visit;
  const durationS = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  return (
    <li class="path-day path-visit">
      <time dateTime={startedAt} class="number">
        {formatInstant(startedAt, timezone)}
      </time>
      <span class="quiet-text">
        <Source of={visit} /> · {formatCountOf(pageviews, 'views')} · {formatDuration(durationS)}
      </span>
    </li>
  );
}

type StepProps = { event: Activity; timezone: string; gapS: number | undefined };

function Step({ event, timezone, gapS }: StepProps) {
  const { createdAt, eventType, page, name, properties, engagedSeconds, scrollDepth } = event;
  const seen = [
    engagedSeconds !== null && `engaged ${formatDuration(engagedSeconds)}`,
    scrollDepth !== null && `seen down to ${scrollDepth} %`,
  ].filter(Boolean);
  return (
    <li class={`path-${eventType}`}>
      <time dateTime={createdAt} class="number quiet-text">
        {formatClock(createdAt, timezone, true)}
        {gapS !== undefined && <span class="path-gap">+{formatDuration(gapS)}</span>}
      </time>
      <span class="path-what">
        <span class="quiet-text">{EVENT_WORDS[eventType]}</span>{' '}
        <strong dir="auto">{toVisibleText(whatOf(eventType, name, properties) ?? page)}</strong>
        {eventType !== 'pageview' && (
          <span class="quiet-text">
            {' '}
            on <bdi>{toVisibleText(page)}</bdi>
          </span>
        )}
        {seen.length > 0 && <span class="path-properties quiet-text">{seen.join(' · ')}</span>}
        {properties && <Properties properties={properties} />}
      </span>
    </li>
  );
}

/** Seconds since the previous event, by the id of the later one. Headings show whole days. */
function gapsOf(events: readonly Activity[]): Map<string, number> {
  const inOrder = events.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const gaps = inOrder.slice(1).map(({ id, createdAt }, index): [id: string, gapS: number] => {
    const before = inOrder[index]?.createdAt ?? createdAt;
    return [id, (Date.parse(createdAt) - Date.parse(before)) / 1_000];
  });
  return new Map(gaps.filter(([, gapS]) => gapS < DAY_S));
}

function whatOf(eventType: Activity['eventType'], name: string | null, properties: Activity['properties']) {
  if (eventType !== 'click') return name ?? undefined;
  const what = properties?.text || properties?.href;
  return what ? textOf(what) : undefined;
}

/** A property as text. `String` would throw on what an object of a sender calls `toString`. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** `€79.00`; undefined when the revenue of an event is not an amount of a currency. */
function moneyOf(value: unknown): string | undefined {
  const { amount, currency } = (value ?? {}) as { amount?: unknown; currency?: unknown };
  const isMoney = typeof currency === 'string' && /^-?\d+(\.\d+)?$/.test(String(amount));
  if (!isMoney) return undefined;
  try {
    return formatMoney({ amount: String(amount), currency });
  } catch {
    return undefined; // not a currency
  }
}

function Properties({ properties }: { properties: Record<string, unknown> }) {
  const shown = Object.entries(properties).filter(([key]) => key !== 'name' && key !== 'text');
  if (shown.length === 0) return null;
  return (
    <span class="path-properties quiet-text" dir="auto">
      {shown
        .map(([key, value]) => `${key}: ${(key === REVENUE_KEY && moneyOf(value)) || textOf(value)}`)
        .join(' · ')}
    </span>
  );
}
