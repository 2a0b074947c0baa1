import type { Funnel } from '../../metrics/reports/funnel.ts';
import { formatCountLong, formatPercent } from '../state/format.ts';
import { elsewhereOf } from './LostList.tsx';

type Step = Funnel['steps'][number];
type Props = { steps: readonly Step[]; names: readonly string[] };

/** The funnel as a table. */
export function StepTable({ steps, names }: Props) {
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
              Lost
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
              <td>{droppedOff > 0 && <Next next={next} count={droppedOff} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Next({ next, count }: { next: Step['next']; count: number }) {
  const elsewhere = elsewhereOf(next, count);
  return (
    <>
      {next.map((page, place) => (
        <span key={page.value ?? ''}>
          {place > 0 && ', '}
          <bdi>{page.value ?? 'left'}</bdi>
          {`\u00a0${formatCountLong(page.count)}`}
        </span>
      ))}
      {elsewhere > 0 && `${next.length > 0 ? ', ' : ''}other pages\u00a0${formatCountLong(elsewhere)}`}
    </>
  );
}
