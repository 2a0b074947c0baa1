import type { Funnel } from '../../metrics/reports/funnel.ts';
import type { Place } from '../api/place.ts';
import { formatCountLong, formatCountOf, formatPercent } from '../state/format.ts';
import type { FunnelStep } from './funnel-state.ts';
import { LostList } from './LostList.tsx';
import { StepTable } from './StepTable.tsx';

type Props = {
  place: Place;
  steps: readonly FunnelStep[];
  /** Names of the steps. */
  names: readonly string[];
  answer: Funnel;
};

/** A column for each step: how many got there, how many were lost before it, and where those went. The same as a table. */
export function FunnelChart({ place, steps, names, answer }: Props) {
  const { by } = answer;
  const units = `${by}s`;
  const partOf = (index: number) => answer.steps[index]?.rate ?? 0;
  return (
    <>
      <ol class="funnel" style={{ '--steps': String(names.length) }}>
        {answer.steps.map(({ reached, rate, stepRate, droppedOff, next }, index) => (
          <li key={index}>
            <div class="funnel-head">
              <strong title={names[index]}>
                <bdi>{names[index]}</bdi>
              </strong>
              <span class="number">
                {formatCountOf(reached, units)} · {formatPercent(rate)}
              </span>
            </div>
            <div class="funnel-track" aria-hidden="true">
              {index > 0 && <div class="funnel-gone" style={{ '--part': String(partOf(index - 1)) }} />}
              <div class="funnel-bar" style={{ '--part': String(reached && Math.max(rate, 0.003)) }} />
              {index > 0 && reached > 0 && (
                <span class="funnel-rate number">→ {formatPercent(stepRate)}</span>
              )}
            </div>
            {index > 0 && <span class="unseen">{formatPercent(stepRate)} of the step before</span>}
            {index < names.length - 1 && (
              <div class="funnel-lost">
                <p class="number">
                  {formatCountLong(droppedOff)} lost
                  {reached > 0 && (
                    <span class="quiet-text">
                      {' '}
                      {formatPercent(1 - (answer.steps[index + 1]?.stepRate ?? 0))}
                    </span>
                  )}
                </p>
                {droppedOff > 0 && (
                  <LostList place={place} next={next} count={droppedOff} lost={{ steps, by, at: index }} />
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
      <StepTable steps={answer.steps} names={names} />
    </>
  );
}
