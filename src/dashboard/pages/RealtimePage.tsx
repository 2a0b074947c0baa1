import { useState } from 'preact/hooks';
import type { Realtime } from '../../metrics/reports/realtime.ts';
import type { Dimension } from '../../vocabulary/analytics.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { MinuteBars } from '../charts/MinuteBars.tsx';
import { Boundary } from '../components/Boundary.tsx';
import { NowDot } from '../components/NowDot.tsx';
import { FilterBar } from '../filters/FilterBar.tsx';
import { FilterDialog } from '../filters/FilterDialog.tsx';
import { Mark } from '../marks/Mark.tsx';
import { BarList, type BarRow } from '../panels/BarList.tsx';
import { Feed } from '../realtime/Feed.tsx';
import { NowMap } from '../realtime/NowMap.tsx';
import { useFeed } from '../realtime/use-feed.ts';
import { useIsLater } from '../realtime/use-is-later.ts';
import { useClock, useNow, useThrottled } from '../realtime/use-now.ts';
import { PageProblem } from '../report/PageProblem.tsx';
import { usePage } from '../report/use-page.ts';
import { nameOfDimension } from '../state/dimension-names.ts';
import { editFilters } from '../state/filter-edits.ts';
import { formatCount } from '../state/format.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { isShown } from '../state/own-access.ts';
import { formatAgo } from '../state/time-format.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import { type Filter, toQuestion } from '../state/view-state.ts';
import { visibilityOf } from '../state/visibility.ts';
import { ClosedWebsite, isClosed } from '../website/ClosedWebsite.tsx';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

const LISTS = [
  { key: 'pages', title: 'Pages', dimension: 'page' },
  { key: 'sources', title: 'Sources', dimension: 'source' },
  { key: 'countries', title: 'Countries', dimension: 'country' },
  { key: 'events', title: 'Events', dimension: 'event' },
] as const satisfies { key: keyof Realtime; title: string; dimension: Dimension }[];

/** Maximum rows of a list, and countries on the map. */
const ROWS = 7;
const PLACES = 50;
const CLOCK_MS = 10_000;
/** Interval between requests of the latest events. */
const FEED_MS = 4_000;

/** Present visitors, their pages and the latest events, updated live. */
export function RealtimePage(props: PageProps) {
  const { place, profile, view, change } = usePage(props);
  const { isPublic } = place;
  const hasFeed = !isPublic && isShown(profile.answer, 'visitors');
  const { filters } = toQuestion(view);
  const maySee = visibilityOf(place, profile.answer);
  const { now, fault, retry } = useNow(place, filters, PLACES);
  // Data that identifies visitors is not shown to the public, and may be hidden from a member.
  const feedAt = useThrottled(hasFeed ? now?.at : undefined, FEED_MS);
  const feed = useFeed(place, filters, feedAt);
  // The clock ticks rarely, so it may be behind the service's.
  const nowMs = Math.max(useClock(CLOCK_MS), now ? Date.parse(now.at) : 0);
  const [edited, setEdited] = useState<{ index?: number }>();
  useTitle(now ? `${now.visitors} now` : 'Realtime');
  const lists = LISTS.filter(({ key, dimension }) => maySee(dimension) && now && now[key].length > 0);

  if (isClosed(profile.fault)) return <ClosedWebsite place={place} fault={profile.fault} />;
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page realtime">
        <h1 class="unseen">Realtime</h1>
        <div class="tools">
          <FilterBar
            place={place}
            filters={view.filters}
            onAdd={() => setEdited({})}
            onEdit={(index) => setEdited({ index })}
            onChange={(next) => change({ filters: next })}
          />
        </div>
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        <NowCard now={now} lastAtMs={lastOf(now, feed.answer?.visits[0]?.endedAt)} nowMs={nowMs} />
        <div class={hasFeed ? 'realtime-body realtime-with-feed' : 'realtime-body'}>
          {hasFeed && (now || !fault) && (
            <Boundary>
              <Feed
                visits={feed.answer?.visits}
                isFiltered={filters !== undefined}
                fault={feed.fault}
                onRetry={feed.retry}
                place={place}
                nowMs={nowMs}
              />
            </Boundary>
          )}
          {lists.length > 0 && (
            <div class="realtime-lists">
              {now && now.countries.length > 0 && (
                <section class="card panel realtime-map" aria-label="Map">
                  <Boundary>
                    <NowMap
                      countries={now.countries}
                      visitors={now.visitors}
                      onPick={(code, edit) =>
                        change({ filters: editFilters(view.filters, 'country', code, edit) })
                      }
                    />
                  </Boundary>
                </section>
              )}
              {lists.map((list) => (
                <Boundary key={list.key}>
                  <NowList
                    list={list}
                    rows={now?.[list.key] ?? []}
                    filters={view.filters}
                    onChange={(next) => change({ filters: next })}
                  />
                </Boundary>
              ))}
            </div>
          )}
          {now && lists.length === 0 && !hasFeed && (
            <p class="card realtime-idle quiet-text">Visits appear here as they happen.</p>
          )}
        </div>
        {edited && (
          <FilterDialog
            place={place}
            view={view}
            maySee={maySee}
            index={edited.index}
            onClose={() => setEdited(undefined)}
            onChange={(next) => {
              setEdited(undefined);
              change({ filters: next });
            }}
          />
        )}
      </div>
    </WebsiteFrame>
  );
}

type NowProps = {
  now: Realtime | undefined;
  /** Time of the last visitor. */
  lastAtMs: number | undefined;
  nowMs: number;
};

/** Present visitors, and visitors of each of the last minutes. */
function NowCard({ now, lastAtMs, nowMs }: NowProps) {
  const isLive = useIsLater(now !== undefined);
  return (
    <section class="card realtime-head" aria-label="Visitors now">
      <p class="realtime-now">
        <NowDot isLive={Boolean(now?.visitors)} />
        <Figure key={now?.visitors} isLive={isLive} text={now ? formatCount(now.visitors) : '–'} />
        <span class="quiet-text">
          {now?.visitors === 1 ? 'visitor' : 'visitors'} in the last {now?.windowMinutes ?? 5} minutes
          {now?.visitors === 0 && lastAtMs && ` · last visitor ${formatAgo(lastAtMs, nowMs)}`}
        </span>
      </p>
      <MinuteBars minutes={now?.minutes ?? []} />
      <p class="quiet-text realtime-axis">
        <span>30 min. ago</span>
        <span>Visitors per minute</span>
        <span>now</span>
      </p>
    </section>
  );
}

/** A figure that moves when it takes the place of another. */
function Figure({ isLive, text }: { isLive: boolean; text: string }) {
  const [isNew] = useState(isLive);
  return <strong class={isNew ? 'number new' : 'number'}>{text}</strong>;
}

/** Time of the last visitor: the last event, or else the last minute with visitors. */
function lastOf(now: Realtime | undefined, lastEventAt: string | undefined): number | undefined {
  const at = lastEventAt ?? now?.minutes.findLast(({ visitors }) => visitors > 0)?.time;
  return at === undefined ? undefined : Date.parse(at);
}

type NowRow = Realtime['pages'][number];

type ListProps = {
  list: (typeof LISTS)[number];
  rows: NowRow[];
  filters: Filter[];
  onChange: (filters: Filter[]) => void;
};

/** Values of a dimension by present visitors. */
function NowList({ list: { key, title, dimension }, rows, filters, onChange }: ListProps) {
  return (
    <section class="card panel" aria-labelledby={`now-${key}`}>
      <h2 id={`now-${key}`}>{title}</h2>
      <div class="panel-list">
        <BarList
          heads={[nameOfDimension(dimension), METRIC_FORMATS.visitors.name]}
          rows={rows.slice(0, ROWS).map((row, _, shown) => toRow(row, shown, dimension, filters))}
          onPick={(value, edit) => onChange(editFilters(filters, dimension, value, edit))}
        />
      </div>
    </section>
  );
}

function toRow({ value, visitors }: NowRow, rows: NowRow[], dimension: Dimension, filters: Filter[]): BarRow {
  return {
    key: value ?? '',
    label: nameOfValue(dimension, value),
    mark: <Mark dimension={dimension} value={value} />,
    part: visitors / Math.max(...rows.map((row) => row.visitors), 1),
    value: formatCount(visitors),
    href: addressOf({ filters: editFilters(filters, dimension, value ?? '', 'only') }),
  };
}
