import { useEffect, useState } from 'preact/hooks';
import type { Dimension } from '../../analytics/vocabulary.ts';
import type { Realtime } from '../../contract/metrics-realtime.ts';
import type { ApiError } from '../api/client.ts';
import { followStream } from '../api/stream.ts';
import { MinuteBars } from '../charts/MinuteBars.tsx';
import { NowDot } from '../components/NowDot.tsx';
import { Problem } from '../components/Problem.tsx';
import { formatCount } from '../format.ts';
import { Mark } from '../marks/Mark.tsx';
import type { PageProps } from '../page-props.ts';
import { useTitle } from '../use-title.ts';
import { nameOfValue } from '../value-names.ts';
import { BarList } from '../website/BarList.tsx';
import { toPlace } from '../website/place.ts';
import { useProfile } from '../website/profile.ts';
import { visibilityOf } from '../website/visibility.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

const LISTS = [
  { key: 'pages', title: 'Pages', dimension: 'page' },
  { key: 'sources', title: 'Sources', dimension: 'source' },
  { key: 'countries', title: 'Countries', dimension: 'country' },
  { key: 'events', title: 'Events', dimension: 'event' },
] as const satisfies { key: keyof Realtime; title: string; dimension: Dimension }[];

const ROWS = 10;

/** Who is there now, as it changes. */
export function RealtimePage({ parameters, isPublic }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', isPublic);
  const profile = useProfile(place);
  const maySee = visibilityOf(place, profile.answer);
  const [now, setNow] = useState<Realtime>();
  const [fault, setFault] = useState<ApiError>();
  const [turn, setTurn] = useState(0);
  useTitle(now ? `${now.visitors} now` : 'Realtime');

  useEffect(
    () =>
      followStream(
        `/websites/${encodeURIComponent(place.websiteId)}/stats/realtime/stream`,
        { query: { limit: ROWS }, withLogin: !isPublic },
        {
          onMessage: (event, text) => {
            if (event !== 'snapshot') return;
            setNow(JSON.parse(text)); // what the contract says of the stream
            setFault(undefined);
          },
          onFault: setFault,
        },
      ),
    [place.websiteId, isPublic, turn],
  );

  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page realtime">
        <h1 class="unseen">Realtime</h1>
        {fault && <Problem fault={fault} onRetry={() => setTurn(turn + 1)} />}
        <section class="card realtime-head" aria-label="Visitors now">
          <p class="realtime-now">
            <NowDot isLive={Boolean(now?.visitors)} />
            <strong class="number">{now ? formatCount(now.visitors) : '–'}</strong>
            <span class="quiet-text">
              {now?.visitors === 1 ? 'visitor' : 'visitors'} in the last {now?.windowMinutes ?? 5} minutes
            </span>
          </p>
          <MinuteBars minutes={now?.minutes ?? []} />
          <p class="quiet-text realtime-axis">
            <span>30 minutes ago</span>
            <span>now</span>
          </p>
        </section>
        <div class="panels">
          {LISTS.filter(({ dimension }) => maySee(dimension)).map(({ key, title, dimension }) => (
            <section class="card panel" key={key} aria-labelledby={`now-${key}`}>
              <h2 id={`now-${key}`}>{title}</h2>
              <div class="panel-list">
                {now?.[key].length === 0 && <p class="panel-empty">Nothing in the last minutes.</p>}
                <BarList rows={(now?.[key] ?? []).map((row, _, rows) => toRow(row, rows, dimension))} />
              </div>
            </section>
          ))}
        </div>
      </div>
    </WebsiteFrame>
  );
}

type NowRow = Realtime['pages'][number];

function toRow({ value, visitors }: NowRow, rows: NowRow[], dimension: Dimension) {
  return {
    key: value ?? '',
    label: nameOfValue(dimension, value),
    mark: <Mark dimension={dimension} value={value} />,
    part: visitors / Math.max(...rows.map((row) => row.visitors), 1),
    value: formatCount(visitors),
  };
}
