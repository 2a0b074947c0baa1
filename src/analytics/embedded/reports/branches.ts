import { JOURNEY_STEPS, JOURNEYS_A_BRANCH } from '../../../vocabulary/analytics.ts';
import type { JourneyBranch } from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import type { PathTable } from '../collections/path-table.ts';
import type { Arena } from '../memory/arena.ts';

/** Paths that begin alike: those of `order` from `begin` to `end`. `code` is their last step. */
type Branch = {
  code: number;
  visits: number;
  begin: number;
  end: number;
  others: number;
  branches: Branch[];
};

/**
 * Builds the tree of paths step by step. The paths of a branch are adjacent, so their next codes are counted in one column.
 * Small branches are not extended, so a step has at most a thousand.
 *
 * @param codeCount upper bound of the codes; code 0 ends a path
 */
export function growBranches(paths: PathTable, codeCount: number, arena: Arena) {
  const { steps, counts, size } = paths;
  let order = arena.u32(size);
  for (let path = 0; path < size; path += 1) order[path] = path;
  let spare = arena.u32(size);
  const sums = arena.u32(codeCount);
  /** Code → number of paths of a kept branch, then the index of the next one; 0 means none. */
  const places = arena.u32(codeCount);
  let visits = 0;
  for (let path = 0; path < size; path += 1) visits += counts[path] as number;
  const root: Branch = { code: 0, visits, begin: 0, end: size, others: 0, branches: [] };
  let grown = [root];
  for (let step = 0; step < JOURNEY_STEPS; step += 1) {
    let placed = 0;
    const next: Branch[] = [];
    for (const branch of grown) placed = split(branch, step, placed, next);
    [order, spare] = [spare, order];
    grown = next;
  }
  return { toAnswer: (nameOf: NameOf) => toAnswer(root, nameOf) };

  /** @returns how many paths have a position in the order of the next step */
  function split(branch: Branch, step: number, from: number, next: Branch[]): number {
    const codes: number[] = [];
    for (let index = branch.begin; index < branch.end; index += 1) {
      const path = order[index] as number;
      const code = steps[path * JOURNEY_STEPS + step] as number;
      if (code === 0) continue;
      if (sums[code] === 0) codes.push(code);
      (sums[code] as number) += counts[path] as number;
      (places[code] as number) += 1;
    }
    let placed = from;
    for (const code of codes) {
      const sum = sums[code] as number;
      const length = places[code] as number;
      sums[code] = 0;
      places[code] = 0;
      if (sum * JOURNEYS_A_BRANCH < visits) {
        branch.others += sum;
        continue;
      }
      places[code] = placed + 1;
      const grownOut = { code, visits: sum, begin: placed, end: placed + length, others: 0, branches: [] };
      branch.branches.push(grownOut);
      next.push(grownOut);
      placed += length;
    }
    for (let index = branch.begin; index < branch.end; index += 1) {
      const path = order[index] as number;
      const code = steps[path * JOURNEY_STEPS + step] as number;
      const place = code === 0 ? 0 : (places[code] as number);
      if (place === 0) continue;
      spare[place - 1] = path;
      places[code] = place + 1;
    }
    for (const { code } of branch.branches) places[code] = 0;
    return placed;
  }
}

type NameOf = (code: number) => Pick<JourneyBranch, 'stop' | 'value'>;

/** Sorts by visits, most first; merged branches come last. */
function toAnswer({ branches, others }: Branch, nameOf: NameOf): JourneyBranch[] {
  const named = branches
    .map((branch) => ({ ...nameOf(branch.code), visits: branch.visits, branches: toAnswer(branch, nameOf) }))
    .sort((a, b) => b.visits - a.visits || compareText(a.value, b.value) || compareText(b.stop, a.stop));
  if (others === 0) return named;
  return [...named, { stop: 'other', value: null, visits: others, branches: [] }];
}
