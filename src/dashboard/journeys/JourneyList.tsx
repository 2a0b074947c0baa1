import type { Journeys } from '../../metrics/reports/journeys.ts';
import { formatCountLong, formatCountOf, formatPercent } from '../state/format.ts';
import { nameOfBranch } from './journey-names.ts';

type Numbered = { branch: Journeys['branches'][number]; index: number };

/** Every branch with its figures, nested in its parent. */
export function JourneyList({ branches, direction }: Journeys) {
  const all = branches.map((branch, index): Numbered => ({ branch, index }));
  const ofParents = Map.groupBy(all, ({ branch }) => branch.parent);
  return (
    <Branches
      parent={null}
      ofParents={ofParents}
      ended={direction === 'from' ? 'ended here' : 'began here'}
    />
  );
}

type Props = { parent: number | null; ofParents: Map<number | null, Numbered[]>; ended: string };

function Branches({ parent, ofParents, ended }: Props) {
  const own = ofParents.get(parent);
  if (!own) return null;
  return (
    <ol class="journey-list">
      {own.map(({ branch, index }) => (
        <li key={index}>
          <bdi>{nameOfBranch(branch)}</bdi>{' '}
          <span class="quiet-text number">
            {formatCountOf(branch.visits, 'visits')}, {formatPercent(branch.rate)}
            {branch.ended ? `; ${formatCountLong(branch.ended)} ${ended}` : ''}
          </span>
          <Branches parent={index} ofParents={ofParents} ended={ended} />
        </li>
      ))}
    </ol>
  );
}
