import type { Activity } from '../../contract/metrics-lists.ts';
import { formatInstant } from '../time-format.ts';

type Props = {
  /** In the order in which they are shown. */
  events: readonly Activity[];
  timezone: string;
};

const WORDS = { pageview: 'Viewed', click: 'Clicked', custom: 'Event' } as const;

/** What somebody did, step by step. */
export function Path({ events, timezone }: Props) {
  return (
    <ol class="path">
      {events.map(({ id, createdAt, eventType, page, name, properties }) => (
        <li key={id} class={`path-${eventType}`}>
          <time dateTime={createdAt} class="number quiet-text">
            {formatInstant(createdAt, timezone)}
          </time>
          <span class="path-what">
            <span class="quiet-text">{WORDS[eventType]}</span>{' '}
            <strong dir="auto">{whatOf(eventType, name, properties) ?? page}</strong>
            {eventType !== 'pageview' && (
              <span class="quiet-text">
                {' '}
                on <bdi>{page}</bdi>
              </span>
            )}
            {properties && <Properties properties={properties} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

function whatOf(eventType: Activity['eventType'], name: string | null, properties: Activity['properties']) {
  if (eventType === 'click') return String(properties?.text || properties?.href || '') || undefined;
  return name ?? undefined;
}

function Properties({ properties }: { properties: Record<string, unknown> }) {
  const shown = Object.entries(properties).filter(([key]) => key !== 'name' && key !== 'text');
  if (shown.length === 0) return null;
  return (
    <span class="path-properties quiet-text" dir="auto">
      {shown
        .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' · ')}
    </span>
  );
}
