import type { Retention } from '../../metrics/reports/retention.ts';
import { RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { useReport } from '../api/use-report.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { ChoiceButtons } from '../components/Choice.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { ReportCard, ReportPage } from '../report/ReportPage.tsx';
import { usePage } from '../report/use-page.ts';
import { RetentionGrid } from '../retention/RetentionGrid.tsx';
import { INTERVAL_NAMES } from '../state/ranges.ts';
import { toQuestion } from '../state/view-state.ts';

/** Minimum length of each interval. */
const INTERVAL_DAYS = { day: 1, week: 7, month: 28 };

/** Report of how many new visitors came back. */
export function RetentionPage(props: PageProps) {
  const page = usePage(props);
  const { place, view, change } = page;
  const interval = RETENTION_INTERVALS.find((name) => name === view.interval) ?? 'week';
  const report = useReport<Retention>(place, '/stats/retention', { ...toQuestion(view), interval });
  const { answer, fault } = report;
  const days = answer ? (Date.parse(answer.range.to) - Date.parse(answer.range.from)) / DAY_MS : 0;
  const intervals = RETENTION_INTERVALS.filter(
    (name) => name === interval || days / INTERVAL_DAYS[name] <= RETENTION_POINTS_MAX - 1,
  );
  const isEmpty = answer?.cohorts.every(({ visitors }) => visitors === 0);
  return (
    <ReportPage
      page={page}
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
      answers={[report]}
    >
      {(answer || !fault) && (
        <ReportCard class="goals-card retention-card" of={report}>
          {isEmpty ? (
            <p class="panel-empty goals-empty">No new visitors in this period.</p>
          ) : (
            answer && <RetentionGrid {...answer} />
          )}
        </ReportCard>
      )}
    </ReportPage>
  );
}
