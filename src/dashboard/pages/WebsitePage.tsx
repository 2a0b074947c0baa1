import { useState } from 'preact/hooks';
import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { VisitorsCountedBy } from '../../vocabulary/analytics.ts';
import type { Place } from '../api/place.ts';
import type { PageProps } from '../browser/page-props.ts';
import { navigate } from '../browser/router.ts';
import { useTitle } from '../browser/use-title.ts';
import { Boundary } from '../components/Boundary.tsx';
import { lazy, usePreloaded } from '../components/lazy.tsx';
import { FilterBar } from '../filters/FilterBar.tsx';
import { FilterDialog, SegmentDialog } from '../filters/lazy.ts';
import { GoalsPanel } from '../goals/GoalsPanel.tsx';
import { useImported } from '../imported/use-imported.ts';
import { AnnotationDialog } from '../overview/lazy.ts';
import { NoEventsYet } from '../overview/NoEventsYet.tsx';
import { OnlyExcludedTraffic } from '../overview/OnlyExcludedTraffic.tsx';
import { Overview } from '../overview/Overview.tsx';
import { useToday } from '../overview/use-today.ts';
import { VisitorsNow } from '../overview/VisitorsNow.tsx';
import { DetailsDialog } from '../panels/lazy.ts';
import { Panel } from '../panels/Panel.tsx';
import { currentTab, dimensionOfTab, type PanelSpec, visiblePanels } from '../panels/panels.ts';
import { dimensionsOf, useFigures } from '../panels/use-figures.ts';
import { DatesDialog } from '../period/lazy.ts';
import { PeriodPicker } from '../period/PeriodPicker.tsx';
import { isAboutAddress, PageProblem } from '../report/PageProblem.tsx';
import { usePage } from '../report/use-page.ts';
import { ShareDialog } from '../share/lazy.ts';
import { comparisonOf, rememberComparison } from '../state/comparison.ts';
import { addressIn } from '../state/kept-view.ts';
import { outcomeOf } from '../state/outcome.ts';
import { intervalsFor, periodOf, shiftRange } from '../state/ranges.ts';
import { useShortcuts } from '../state/shortcuts.ts';
import { formatRange } from '../state/time-format.ts';
import { type ViewChanges, withPeriod, withRange } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { type MaySee, visibilityOf } from '../state/visibility.ts';
import { ClosedWebsite, isClosed } from '../website/ClosedWebsite.tsx';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

const HelpDialog = lazy(async () => (await import('./HelpDialog.tsx')).HelpDialog);
/** Not in the first load, and ready when a user opens one. */
const DIALOGS = [
  AnnotationDialog,
  FilterDialog,
  DatesDialog,
  DetailsDialog,
  HelpDialog,
  SegmentDialog,
  ShareDialog,
];

type Opened = { kind: 'filter'; index?: number } | { kind: 'dates' } | { kind: 'help' } | { kind: 'share' };

/** Dashboard of a website. */
export function WebsitePage(props: PageProps) {
  const { place, profile, view, change } = usePage(props);
  const [opened, setOpened] = useState<Opened>();
  useTitle(profile.answer?.name ?? 'Website');
  usePreloaded(DIALOGS);
  useToday(place, profile.answer, props.search);
  const maySee = visibilityOf(place, profile.answer);
  const panels = visiblePanels(maySee);
  /** The public asks nothing until it knows what is visible. */
  const isReady = !place.isPublic || profile.answer !== undefined;
  const outcome = outcomeOf(view);
  const figures = useFigures({ place, view, outcome, panels, isReady });
  const { answer, fault, isLoading, isOld } = figures;
  const imported = useImported(place, outcome.view, {
    hasSums: profile.answer?.hasImportedSums === true,
    dimensions: dimensionsOf(view, panels),
  });
  const detailed = panels.find((panel) => panel.id === view.details && hasValues(panel, view));
  usePageShortcuts({ place, view, range: answer?.range, opened, onOpen: setOpened, onChange: change });

  if (isClosed(profile.fault)) return <ClosedWebsite place={place} fault={profile.fault} />;
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page website">
        <h1 class="unseen">{profile.answer?.name ?? 'Website'}</h1>
        {answer && <p class="print-head">{formatRange(answer.range)}</p>}
        {profile.answer?.firstEventAt === null && <NoEventsYet place={place} profile={profile.answer} />}
        {answer?.totals.events === 0 && profile.answer?.firstEventAt && view.filters.length === 0 && (
          <OnlyExcludedTraffic place={place} />
        )}
        <Tools
          place={place}
          mayShare={!place.isPublic && /owner|admin/.test(profile.answer?.role ?? '')}
          view={view}
          range={answer?.range}
          compared={answer?.comparison?.range}
          opened={opened}
          onOpen={setOpened}
          onChange={change}
        />
        {place.isSet && (
          <p class="quiet-text">
            Figures of {profile.answer?.members?.length ?? 'several'} websites, added up. Visitors of two of
            them count twice.
          </p>
        )}
        {answer?.visitorsCountedBy && <p class="quiet-text">{COUNTED_BY_NOTES[answer.visitorsCountedBy]}</p>}
        <PageProblem fault={fault} onRetry={figures.retry} view={view} onChange={change} />
        {!(fault && isAboutAddress(fault)) && (
          <>
            <Boundary>
              <Overview
                place={place}
                name={profile.answer?.name ?? ''}
                view={view}
                outcome={outcome}
                profile={profile.answer}
                figures={figures}
                imported={imported}
                onChange={change}
              />
            </Boundary>
            <div class={`panels ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
              {panels.map((panel) => (
                <Boundary key={panel.id}>
                  <Panel
                    panel={panel}
                    place={place}
                    view={view}
                    outcome={outcome}
                    lists={figures.lists}
                    imported={imported?.stats}
                    domain={profile.answer?.domain}
                    onChange={change}
                  />
                </Boundary>
              ))}
            </div>
            {isReady && (
              <Boundary>
                <GoalsPanel place={place} view={outcome.view} onChange={change} />
              </Boundary>
            )}
          </>
        )}
        <p class="page-foot">
          <button type="button" class="plain" onClick={() => setOpened({ kind: 'help' })}>
            Keyboard and mouse
          </button>
        </p>
        {detailed && (
          <DetailsDialog panel={detailed} place={place} view={view} outcome={outcome} onChange={change} />
        )}
        <OpenedDialog
          place={place}
          view={view}
          maySee={maySee}
          opened={opened}
          onClose={() => setOpened(undefined)}
          onChange={change}
        />
      </div>
    </WebsiteFrame>
  );
}

/** Explanations of figures that include visitors without ids. */
const COUNTED_BY_NOTES: Record<VisitorsCountedBy, string> = {
  day: 'Visitors are counted by day, without ids: one who comes on two days counts twice.',
  mixed:
    'Some visitors are counted by day, without ids: one who comes on two days counts twice. Filter by "Counted by" to tell them apart.',
};

/** Whether the panel's tab has a dimension; that of properties has none before one is chosen. */
const hasValues = (panel: PanelSpec, { tabs }: ViewState) =>
  dimensionOfTab(panel, currentTab(panel, tabs), tabs) !== undefined;

type ToolsProps = {
  place: Place;
  view: ViewState;
  /** Range that the service resolved the period to. */
  range: Dashboard['range'] | undefined;
  /** Range that the figures are compared with. */
  compared?: NonNullable<Dashboard['comparison']>['range'] | undefined;
  opened: Opened | undefined;
  onOpen: (opened: Opened | undefined) => void;
  onChange: (changes: ViewChanges) => void;
};

/** Visitors now, filters and period. */
function Tools({
  place,
  view,
  range,
  compared,
  opened,
  onOpen,
  onChange,
  mayShare,
}: ToolsProps & { mayShare: boolean }) {
  return (
    <div class="tools">
      <VisitorsNow place={place} />
      <FilterBar
        place={place}
        filters={view.filters}
        onAdd={() => onOpen({ kind: 'filter' })}
        onEdit={(index) => onOpen({ kind: 'filter', index })}
        onChange={(filters) => onChange({ filters })}
      />
      <PeriodPicker
        view={view}
        range={range}
        compared={compared}
        isChoosingDates={opened?.kind === 'dates'}
        onChooseDates={(isOpen) => onOpen(isOpen ? { kind: 'dates' } : undefined)}
        onChange={onChange}
      />
      {mayShare && (
        <button type="button" class="quiet" onClick={() => onOpen({ kind: 'share' })}>
          Share
        </button>
      )}
    </div>
  );
}

/** Keyboard shortcuts of this page. */
function usePageShortcuts({ place, view, range, opened, onOpen, onChange }: ToolsProps): void {
  function step(by: -1 | 1): void {
    const next = range && shiftRange(range, by, Date.now(), periodOf(view));
    if (next) onChange(withRange(next.from, next.to));
  }

  useShortcuts(
    {
      period: (period) => onChange(withPeriod(period)),
      r: () => navigate(addressIn(place, '/realtime')),
      c: () => onOpen({ kind: 'dates' }),
      x: () => {
        const compare = comparisonOf(view).compare === 'none' ? 'previous' : 'none';
        rememberComparison({ compare });
        onChange({ compare });
      },
      i: () => {
        if (!range) return;
        const intervals = intervalsFor(range);
        const index = intervals.indexOf(range.interval);
        onChange({ interval: intervals[(index + 1) % intervals.length] });
      },
      '/': () => onOpen({ kind: 'filter' }),
      '.': () => onChange({ chart: view.chart === 'table' ? 'line' : 'table' }),
      '?': () => onOpen({ kind: 'help' }),
      Escape: () => (opened ? onOpen(undefined) : onChange({ filters: [] })),
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
    },
    opened !== undefined,
  );
}

type OpenedProps = {
  place: Place;
  view: ViewState;
  maySee: MaySee;
  opened: Opened | undefined;
  onClose: () => void;
  onChange: (changes: ViewChanges) => void;
};

/** The open dialog, except dates, which belong to the period, and details, which the address names. */
function OpenedDialog({ place, view, maySee, opened, onClose, onChange }: OpenedProps) {
  return (
    <>
      {opened?.kind === 'filter' && (
        <FilterDialog
          place={place}
          view={view}
          maySee={maySee}
          index={opened.index}
          onClose={onClose}
          onChange={(filters) => {
            onClose();
            onChange({ filters });
          }}
        />
      )}
      {opened?.kind === 'share' && <ShareDialog place={place} view={view} onClose={onClose} />}
      {opened?.kind === 'help' && <HelpDialog onClose={onClose} />}
    </>
  );
}
