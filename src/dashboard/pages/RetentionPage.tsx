import type { Retention } from '../../metrics/reports/retention.ts';
import { type Period, RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { ChoiceButtons } from '../components/Choice.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { RetentionCurve } from '../retention/RetentionCurve.tsx';
import { RetentionGrid } from '../retention/RetentionGrid.tsx';
import { INTERVAL_NAMES } from '../state/ranges.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

/** Minimum length of each interval. */
const INTERVAL_DAYS = { day: 1, week: 7, month: 28 };

/** Periods of several cohorts. */
const PERIODS = ['90d', '91d', '6mo', 'year', '12mo', 'all'] as const satisfies Period[];
/** Period of each interval when the address has none of these: one of some days has too few cohorts to compare. */
const PERIOD_OF = { day: '28d', week: '91d', month: '12mo' } as const satisfies Record<string, Period>;

/** Report of how many new visitors came back. */
export function RetentionPage(props: PageProps) {
  const page = usePage(props);
  const { place, change } = page;
  const interval = RETENTION_INTERVALS.find((name) => name === page.view.interval) ?? 'week';
  const view = withCohorts(page.view, PERIOD_OF[interval]);
  const report = useReport<Retention>(place, '/stats/retention', { ...toQuestion(view), interval });
  const { answer, fault } = report;
  const days = answer ? (Date.parse(answer.range.to) - Date.parse(answer.range.from)) / DAY_MS : 0;
  const intervals = RETENTION_INTERVALS.filter(
    (name) =>
      name === interval ||
      view.period === PERIOD_OF[interval] ||
      days / INTERVAL_DAYS[name] <= RETENTION_POINTS_MAX - 1,
  );
  const isEmpty = answer?.cohorts.every(({ visitors }) => visitors === 0);
  const isUnavailable = fault?.fieldErrors.period?.some((reason) => reason.startsWith('Unavailable'));
  return (
    <ReportPage
      page={{ ...page, view }}
      title="Retention"
      head={<GoalTabs place={place} current="/goals/retention" />}
      about={
        <>
          Each row is the new visitors of one {interval}. Its cells show how many of them came back in the{' '}
          {interval}s after it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      list="stats/retention"
      question={{ interval }}
      periods={PERIODS.filter((period) => period !== '90d')}
      form={
        <div class="retention-interval">
          <ChoiceButtons
            label="Interval"
            names={INTERVAL_NAMES}
            among={intervals}
            value={interval}
            onChange={(name) => change({ interval: name })}
          />
        </div>
      }
      answers={isUnavailable ? [] : [report]}
    >
      {isUnavailable && (
        <section class="card retention-card">
          <p class="panel-empty goals-empty">
            Unavailable: the visitors of this period are counted by day, so no one is known to return.{' '}
            <a href={toHref('/docs/definitions')}>Definitions</a>
          </p>
        </section>
      )}
      {answer?.visitorsCountedBy === 'mixed' && (
        <p class="quiet-text">Only of visitors with a lasting id. Those counted by day cannot return.</p>
      )}
      {(answer || !fault) && (
        <ReportCard class="goals-card retention-card" of={report}>
          {isEmpty ? (
            <p class="panel-empty goals-empty">No new visitors in this period.</p>
          ) : (
            answer && (
              <>
                <RetentionCurve means={answer.means} interval={answer.interval} />
                <RetentionGrid place={place} answer={answer} />
              </>
            )
          )}
        </ReportCard>
      )}
    </ReportPage>
  );
}

/** Keeps dates, and periods of several cohorts. */
function withCohorts(view: ViewState, period: Period): ViewState {
  const isLong = PERIODS.some((name) => name === view.period);
  return view.from || isLong ? view : { ...view, period };
}
