import { parseArgs } from 'node:util';
import { BARS } from './bars.ts';

/**
 * Tries the promises of docs/reliability.md: `bun tests/faults/main.ts --bar B3 [--long] [--seed 1]`, or all of them
 * one after the other. Prints a line for each and ends with 1 when one does not hold.
 */

const FAULTS_SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    bar: { type: 'string', multiple: true },
    long: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = BARS.filter(({ id }) => values.bar?.includes(id) ?? true);
if (wanted.length === 0) {
  console.error(`There is no such bar. Known: ${BARS.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}
let isAllWell = true;
for (const { id, hasShort, run } of wanted) {
  if (!values.long && !hasShort) {
    console.log(`${id} has only a long version: --long`);
    continue;
  }
  const { figure, faults } = await run({ isLong: values.long, seed: Number(values.seed) });
  for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) console.log(`  ${fault}`);
  console.log(`${id} ${faults.length === 0 ? 'holds' : 'DOES NOT HOLD'}: ${figure}`);
  isAllWell &&= faults.length === 0;
}
process.exit(isAllWell ? 0 : 1);
