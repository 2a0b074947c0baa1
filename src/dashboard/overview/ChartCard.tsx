import { useMemo, useRef, useState } from 'preact/hooks';
import type { SeriesAnnotation } from '../../contract/annotation.ts';
import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { ImportedStats } from '../../contract/metrics/imported.ts';
import type { Place } from '../api/place.ts';
import { ChartSkeleton } from '../charts/ChartSkeleton.tsx';
import { ChartTable } from '../charts/ChartTable.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { ChoiceButtons } from '../components/Choice.tsx';
import { Menu } from '../components/Menu.tsx';
import { toImportedValues } from '../imported/imported-values.ts';
import type { Imported } from '../imported/use-imported.ts';
import { isComparing } from '../state/comparison.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { useHasRole } from '../state/own-access.ts';
import { dateIn, daysOf, describeComparison, INTERVAL_NAMES, intervalsFor } from '../state/ranges.ts';
import { formatDays, formatRange, formatUntil } from '../state/time-format.ts';
import { type ViewChanges, withRange } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { ChartMenu } from './ChartMenu.tsx';
import { GoalMenu } from './GoalMenu.tsx';
import { AnnotationDialog } from './lazy.ts';

type Props = {
  answer: Dashboard | undefined;
  view: ViewState;
  place: Place;
  /** Name of the website. */
  name: string;
  /** Goal whose rate is shown with every figure. */
  primary: { id: string; name: string } | null;
  /** Whether the user may choose it. */
  mayChoose: boolean;
  /** Instant of the first event of the website. */
  firstEventAt: string | undefined;
  /** Undefined for a website without imported sums. */
  imported: Imported | undefined;
  onChange: (changes: ViewChanges) => void;
};

const KINDS = { line: 'Line', bar: 'Bars', table: 'Table' };

/** The chosen metric over time, as a line, as bars, or as a table. */
export function ChartCard(props: Props) {
  const { answer, view, place, name, primary, mayChoose, firstEventAt, imported, onChange } = props;
  const card = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<{ annotation?: SeriesAnnotation }>();
  const mayEdit = useHasRole('editor') && !place.isPublic;
  return (
    <div class="chart-card" ref={card}>
      <div class="chart-head">
        <p class={`chart-legend chart-legend-${view.chart} quiet-text`}>
          {answer && <span class="chart-key">{formatRange(answer.range)}</span>}
          {answer?.comparison && (
            <span class="chart-key chart-key-earlier chart-compared">
              {describeComparison(answer.comparison)}
              {firstEventAt && answer.comparison.range.from < firstEventAt && ', in part'}
            </span>
          )}
          {answer && !answer.comparison && isComparing(view) && firstEventAt && (
            <span>Nothing to compare with before {firstDayOf(firstEventAt, answer.range.timezone)}</span>
          )}
        </p>
        <div class="chart-tools">
          {mayChoose && <GoalMenu place={place} primary={primary} />}
          {answer && (
            <Menu label={INTERVAL_NAMES[answer.range.interval]} align="end">
              {intervalsFor(answer.range).map((interval) => (
                <button
                  key={interval}
                  type="button"
                  aria-current={interval === answer.range.interval ? 'true' : undefined}
                  onClick={() => onChange({ interval })}
                >
                  {INTERVAL_NAMES[interval]}
                </button>
              ))}
            </Menu>
          )}
          {imported && (
            <span class="segments">
              <button type="button" aria-pressed={imported.isShown} onClick={imported.toggle}>
                Imported
              </button>
            </span>
          )}
          <ChoiceButtons
            label="Chart type"
            names={KINDS}
            value={view.chart}
            onChange={(chart) => onChange({ chart })}
          />
          {answer ? (
            <ChartMenu
              answer={answer}
              view={view}
              place={place}
              name={name}
              frame={card}
              onAnnotate={mayEdit ? () => setOpened({}) : undefined}
            />
          ) : (
            <span class="icon-button" /> // its place
          )}
        </div>
      </div>
      {answer ? (
        <Drawing
          answer={answer}
          view={view}
          stats={imported?.stats}
          onChange={onChange}
          onAnnotation={mayEdit ? (annotation) => setOpened({ annotation }) : undefined}
        />
      ) : (
        <ChartSkeleton />
      )}
      {answer && opened && (
        <AnnotationDialog
          place={place}
          annotation={opened.annotation}
          timezone={answer.range.timezone}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

function firstDayOf(firstEventAt: string, timezone: string): string {
  const date = dateIn(Date.parse(firstEventAt), timezone);
  return formatDays(date, date);
}

type DrawingProps = Pick<Props, 'view' | 'onChange'> & {
  answer: Dashboard;
  stats: ImportedStats | undefined;
  onAnnotation: ((annotation: SeriesAnnotation) => void) | undefined;
};

function Drawing({ answer, view, stats, onChange, onAnnotation }: DrawingProps) {
  const { range, points, comparison, annotations } = answer;
  // "Now" is when the answer arrived.
  const nowMs = useMemo(Date.now, [answer]);
  const { metric } = view;
  const imported = useMemo(
    () =>
      toImportedValues(
        stats,
        points.map(({ time }) => time),
        metric,
      ),
    [stats, points, metric],
  );
  const label = `${METRIC_FORMATS[view.metric].name}, ${formatRange(range)}`;
  const shared = {
    points,
    comparison: comparison?.points,
    comparedUntil: comparison?.until && formatUntil(comparison.range.to, range.timezone, range.interval),
    imported,
    metric,
    nowMs,
    annotations,
  };
  if (view.chart === 'table') return <ChartTable {...shared} caption={label} interval={range.interval} />;
  return (
    <TimeChart
      {...shared}
      onAnnotation={onAnnotation}
      label={label}
      kind={view.chart}
      interval={range.interval}
      end={range.to}
      onZoom={(from, to) => {
        const isTimes = range.interval === 'hour' || range.interval === 'minute';
        const days = daysOf({ from, to, timezone: range.timezone });
        onChange(isTimes ? withRange(from, to) : withRange(days.first, days.last));
      }}
    />
  );
}
