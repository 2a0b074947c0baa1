import type { Retention } from '../../contract/metrics/retention.ts';
import { RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { ask, toPlace } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useProfile } from '../api/use-profile.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { ChoiceButtons } from '../components/Choice.tsx';
import { GoalTabs } from '../goals/GoalTabs.tsx';
import { PageProblem } from '../report/PageProblem.tsx';
import { ListTools } from '../report/ReportTools.tsx';
import { RetentionGrid } from '../retention/RetentionGrid.tsx';
import { INTERVAL_NAMES } from '../state/ranges.ts';
import { useView } from '../state/use-view.ts';
import { toQuestion } from '../state/view-state.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';

/** At least so long. */
const INTERVAL_DAYS = { day: 1, week: 7, month: 28 };

/** Who of the new visitors came again. */
export function RetentionPage({ parameters, search }: PageProps) {
  const place = toPlace(parameters.websiteId ?? '', false);
  const profile = useProfile(place);
  const { view, change } = useView(search);
  useTitle('Retention');
  const interval = RETENTION_INTERVALS.find((name) => name === view.interval) ?? 'week';
  const question = { ...toQuestion(view), interval };
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    `retention ${place.base} ${JSON.stringify(question)}`,
    (signal) => ask<Retention>(place, '/stats/retention', question, signal),
  );
  const days = answer ? (Date.parse(answer.range.to) - Date.parse(answer.range.from)) / DAY_MS : 0;
  const intervals = RETENTION_INTERVALS.filter(
    (name) => name === interval || days / INTERVAL_DAYS[name] <= RETENTION_POINTS_MAX - 1,
  );
  const isEmpty = answer?.cohorts.every(({ visitors }) => visitors === 0);
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>Retention</h1>
          <GoalTabs place={place} current="/goals/retention" />
        </div>
        <p class="quiet-text about">
          Each row is the new visitors of one {interval}. Its cells show how many of them came back in the{' '}
          {interval}s after it. <a href={toHref('/docs/definitions')}>Definitions</a>
        </p>
        <ListTools
          place={place}
          view={view}
          list="stats/retention"
          question={{ interval }}
          onChange={change}
        />
        <div class="retention-interval">
          <ChoiceButtons
            label="Interval"
            names={INTERVAL_NAMES}
            among={intervals}
            value={interval}
            onChange={(name) => change({ interval: name })}
          />
        </div>
        <PageProblem fault={fault} onRetry={retry} view={view} onChange={change} />
        {(answer || !fault) && (
          <div class={`card goals-card retention-card ${isOld ? 'old' : ''}`} aria-busy={isLoading}>
            {isEmpty ? (
              <p class="panel-empty goals-empty">No new visitors in this period.</p>
            ) : (
              answer && <RetentionGrid {...answer} />
            )}
          </div>
        )}
      </div>
    </WebsiteFrame>
  );
}
