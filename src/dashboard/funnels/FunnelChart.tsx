import type { Funnel } from '../../metrics/reports/funnel.ts';
import { formatCountLong, formatCountOf, formatPercent } from '../state/format.ts';

/** `names` are those of the steps. */
type Props = { names: readonly string[]; answer: Funnel };

/** A bar for each step, the drop-off before the next one, and the same as a table. */
export function FunnelChart({ names, answer }: Props) {
  const { steps } = answer;
  const units = `${answer.by}s`;
  return (
    <>
      <ol class="funnel">
        {steps.map(({ reached, rate, droppedOff, stepRate, next }, index) => (
          <li key={index}>
            <div class="funnel-head">
              <strong>
                <bdi>{names[index]}</bdi>
              </strong>
              <span class="number">
                {formatCountOf(reached, units)} · {formatPercent(rate)}
              </span>
            </div>
            <div class="funnel-track">
              <div class="funnel-bar" style={{ width: `${reached && Math.max(rate * 100, 0.3)}%` }} />
            </div>
            {index < steps.length - 1 && (
              <p class="funnel-lost quiet-text">
                <span class="number">
                  {formatCountLong(droppedOff)} dropped off
                  {reached > 0 && ` (${formatPercent(1 - (steps[index + 1]?.stepRate ?? 0))})`}
                </span>
                {droppedOff > 0 && (
                  <>
                    : <Next pages={next} of={droppedOff} />
                  </>
                )}
              </p>
            )}
            <span class="unseen">{formatPercent(stepRate)} of the step before</span>
          </li>
        ))}
      </ol>
      <StepTable steps={steps} names={names} />
    </>
  );
}

type TableProps = { steps: Funnel['steps']; names: readonly string[] };

/** The funnel as a table. */
function StepTable({ steps, names }: TableProps) {
  return (
    <details class="funnel-table">
      <summary>As a table</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="number">
              Reached
            </th>
            <th scope="col" class="number">
              Of first step
            </th>
            <th scope="col" class="number">
              Of previous step
            </th>
            <th scope="col" class="number">
              Dropped off
            </th>
            <th scope="col">Went to</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ reached, rate, stepRate, droppedOff, next }, index) => (
            <tr key={index}>
              <th scope="row">
                <bdi>{names[index]}</bdi>
              </th>
              <td class="number">{formatCountLong(reached)}</td>
              <td class="number">{formatPercent(rate)}</td>
              <td class="number">{formatPercent(stepRate)}</td>
              <td class="number">{formatCountLong(droppedOff)}</td>
              <td>{droppedOff > 0 && <Next pages={next} of={droppedOff} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Pages that most of those who dropped off went to, and how many went elsewhere. */
function Next({ pages, of }: { pages: Funnel['steps'][number]['next']; of: number }) {
  const elsewhere = of - pages.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {pages.map(({ value, count }, place) => (
        <span key={value ?? ''}>
          {place > 0 && ', '}
          <bdi>{value ?? 'left'}</bdi>
          {`\u00a0${formatCountLong(count)}`}
        </span>
      ))}
      {elsewhere > 0 && `, elsewhere\u00a0${formatCountLong(elsewhere)}`}
    </>
  );
}
