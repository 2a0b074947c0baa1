import { useEffect, useRef, useState } from 'preact/hooks';
import type { Dashboard } from '../../contract/metrics-dashboard.ts';
import { useAnswer } from '../api/use-answer.ts';
import { comparisonOf, rememberComparison, toComparisonQuestion } from '../comparison.ts';
import { announce } from '../components/Announcer.tsx';
import { formatCountLong } from '../format.ts';
import { GoalsPanel } from '../goals/GoalsPanel.tsx';
import type { PageProps } from '../page-props.ts';
import { navigate } from '../router.ts';
import { formatRange } from '../time-format.ts';
import { useTitle } from '../use-title.ts';
import { toQuestion, type ViewState } from '../view-state.ts';
import { AllLeftOut } from '../website/AllLeftOut.tsx';
import { ChartCard } from '../website/ChartCard.tsx';
import { ClosedWebsite, isClosed } from '../website/ClosedWebsite.tsx';
import { DetailsDialog, FilterDialog, HelpDialog, usePreloadedDialogs } from '../website/dialogs.ts';
import { FilterBar } from '../website/FilterBar.tsx';
import { MetricCards } from '../website/MetricCards.tsx';
import { NoEventsYet } from '../website/NoEventsYet.tsx';
import { isAboutAddress, PageProblem } from '../website/PageProblem.tsx';
import { type Lists, PANEL_ROWS, Panel } from '../website/Panel.tsx';
import { PeriodPicker } from '../website/PeriodPicker.tsx';
import { ANY_PROPERTY, currentTab, dimensionOfTab, type Panel as PanelOf } from '../website/panels.ts';
import { ask, toPlace } from '../website/place.ts';
import { useProfile } from '../website/profile.ts';
import { intervalsFor, shiftRange } from '../website/ranges.ts';
import { useShortcuts } from '../website/shortcuts.ts';
import { useView, withPeriod, withRange } from '../website/use-view.ts';
import { VisitorsNow } from '../website/VisitorsNow.tsx';
import { visibilityOf, visiblePanels } from '../website/visibility.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** New events are there within seconds; who leaves the page open sees them. */
const EVERY_MS = 60_000;

type Opened = { kind: 'filter'; index?: number } | { kind: 'dates' } | { kind: 'help' };

/** The figures of one website. */
export function WebsitePage({ parameters, search, isPublic }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', isPublic);
  const { view, change } = useView(search);
  const profile = useProfile(place);
  const [opened, setOpened] = useState<Opened>();
  useTitle(profile.answer?.name ?? 'Website');
  usePreloadedDialogs();
  const maySee = visibilityOf(place, profile.answer);
  const panels = visiblePanels(maySee);
  /** Before the public knows what it may ask, it asks nothing. */
  const isReady = !place.isPublic || profile.answer !== undefined;

  // The tabs that are shown when the question is asked come with its answer; another tab is asked for by itself.
  const question = { ...toQuestion(view), ...toComparisonQuestion(view), interval: view.interval };
  const tabs = useRef<{ key: string; breakdowns: string[] }>({ key: '', breakdowns: [] });
  const key = `${place.base} ${JSON.stringify(question)}`;
  if (isReady && tabs.current.key !== key) tabs.current = { key, breakdowns: breakdownsOf(view, panels) };
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    isReady ? `dashboard ${key}` : undefined,
    (signal) =>
      ask<Dashboard>(
        place,
        '/stats/dashboard',
        {
          ...question,
          breakdowns: JSON.stringify(tabs.current.breakdowns),
          limit: PANEL_ROWS + 1,
          withAbsent: 'true',
          annotations: 'true',
        },
        signal,
      ),
    { everyMs: EVERY_MS },
  );
  useEffect(() => {
    if (answer && !isLoading) announce(tellTotals(answer));
  }, [key, isLoading]);
  const lists: Lists = {
    asked: tabs.current.breakdowns,
    rows: new Map(answer?.breakdowns.map(({ dimension, rows }) => [dimension, rows])),
    hasFailed: fault !== undefined,
  };
  const panel = panels.find(
    (each) =>
      each.id === view.details && dimensionOfTab(each, currentTab(each, view.tabs), view.tabs) !== undefined,
  );

  function step(by: -1 | 1): void {
    if (!answer) return;
    const range = shiftRange(answer.range, by, Date.now());
    if (range) change(withRange(range.from, range.to));
  }

  useShortcuts(
    {
      period: (period) => change(withPeriod(period)),
      r: () => navigate(`${place.base}/realtime`),
      c: () => setOpened({ kind: 'dates' }),
      x: () => {
        const compare = comparisonOf(view).compare === 'none' ? 'previous' : 'none';
        rememberComparison({ compare });
        change({ compare });
      },
      i: () => {
        if (!answer) return;
        const intervals = intervalsFor(answer.range);
        const index = intervals.indexOf(answer.range.interval);
        change({ interval: intervals[(index + 1) % intervals.length] });
      },
      '/': () => setOpened({ kind: 'filter' }),
      '.': () => change({ chart: view.chart === 'table' ? 'line' : 'table' }),
      '?': () => setOpened({ kind: 'help' }),
      Escape: () => (opened ? setOpened(undefined) : change({ filters: [] })),
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
    },
    opened !== undefined,
  );

  if (isClosed(profile.fault)) return <ClosedWebsite place={place} />;
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page website">
        <h1 class="unseen">{profile.answer?.name ?? 'Website'}</h1>
        {answer && <p class="print-head">{tellDates(answer)}</p>}
        {profile.answer?.firstEventAt === null && <NoEventsYet place={place} profile={profile.answer} />}
        {answer?.totals.events === 0 && profile.answer?.firstEventAt && view.filters.length === 0 && (
          <AllLeftOut place={place} />
        )}
        <div class="tools">
          <VisitorsNow place={place} />
          <FilterBar
            place={place}
            filters={view.filters}
            onAdd={() => setOpened({ kind: 'filter' })}
            onEdit={(index) => setOpened({ kind: 'filter', index })}
            onChange={(filters) => change({ filters })}
          />
          <PeriodPicker
            view={view}
            range={answer?.range}
            isChoosingDates={opened?.kind === 'dates'}
            onChooseDates={(isOpen) => setOpened(isOpen ? { kind: 'dates' } : undefined)}
            onChange={change}
          />
        </div>
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        {!(fault && isAboutAddress(fault)) && (
          <>
            <section
              class={`card overview ${isOld ? 'old' : ''}`}
              aria-label="Overview"
              aria-busy={isLoading}
            >
              <MetricCards answer={answer} metric={view.metric} onChoose={(metric) => change({ metric })} />
              <ChartCard
                answer={answer}
                view={view}
                place={place}
                name={profile.answer?.name ?? ''}
                onChange={change}
              />
            </section>
            <div class={`panels ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
              {panels.map((each) => (
                <Panel
                  key={each.id}
                  panel={each}
                  place={place}
                  view={view}
                  lists={lists}
                  domain={profile.answer?.domain}
                  onChange={change}
                />
              ))}
            </div>
            {isReady && <GoalsPanel place={place} view={view} onChange={change} />}
          </>
        )}
        <p class="page-foot">
          <button type="button" class="plain" onClick={() => setOpened({ kind: 'help' })}>
            Keyboard and mouse
          </button>
        </p>
        {panel && <DetailsDialog panel={panel} place={place} view={view} onChange={change} />}
        {opened?.kind === 'filter' && (
          <FilterDialog
            place={place}
            view={view}
            maySee={maySee}
            index={opened.index}
            onClose={() => setOpened(undefined)}
            onChange={(filters) => {
              setOpened(undefined);
              change({ filters });
            }}
          />
        )}
        {opened?.kind === 'help' && <HelpDialog onClose={() => setOpened(undefined)} />}
      </div>
    </WebsiteFrame>
  );
}

const tellDates = ({ range }: Dashboard) => formatRange(range.from, range.to, range.timezone);

/** For those who do not see the cards change. */
function tellTotals({ totals: { visitors }, range }: Dashboard): string {
  const dates = formatRange(range.from, range.to, range.timezone);
  return `${formatCountLong(visitors)} ${visitors === 1 ? 'visitor' : 'visitors'}, ${dates}`;
}

function breakdownsOf(view: ViewState, panels: readonly PanelOf[]): string[] {
  const shown = panels
    .map((panel) => currentTab(panel, view.tabs))
    .filter(({ dimension, only }) => !only && dimension !== ANY_PROPERTY);
  return shown.map(({ dimension }) => dimension);
}
