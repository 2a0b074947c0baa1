import { parseArgs } from 'node:util';
import { printGrowth } from './analytics/growth.ts';
import { type Measured, runSize } from './analytics/run.ts';
import { printMachine } from './report.ts';

/**
 * The statistics at ten million events: what they take in, what they cost, how fast they answer, against DuckDB.
 *
 *   bun bench/analytics.ts [--events 1000000,10000000] [--file /tmp/events.db] [--rounds 31]
 *
 * A file that was loaded by an earlier run is used again.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    file: { type: 'string' },
    rounds: { type: 'string', default: '31' },
    alternations: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const sizes = values.events.split(',').map(Number);
if (values.file && sizes.length > 1) throw new Error('--file is for one number of --events.');

await printMachine(`bun bench/analytics.ts ${process.argv.slice(2).join(' ')}`);
const measured: Measured[] = [];
for (const events of sizes)
  measured.push(
    await runSize({
      events,
      file: values.file ?? `/tmp/pagemeter-bench-${events}.db`,
      rounds: Number(values.rounds),
      alternations: Number(values.alternations),
      measureMs: Number(values.seconds) * 1_000,
    }),
  );
if (measured.length > 1) printGrowth(measured);
const targeted = measured.flatMap(({ figures }) => figures.filter(({ isMet }) => isMet !== undefined));
console.log(`\n${targeted.filter(({ isMet }) => isMet).length} of ${targeted.length} targets met`);
