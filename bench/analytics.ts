import { parseArgs } from 'node:util';
import { printGrowth } from './analytics/growth.ts';
import { printQuickly, saveQuickly } from './analytics/quick/report.ts';
import { measureQuickly } from './analytics/quick/run.ts';
import { type Measured, runSize } from './analytics/run.ts';
import { printMachine } from './report.ts';

/**
 * The statistics at ten million events: what they take in, what they cost, how fast they answer, against DuckDB.
 *
 *   bun bench/analytics.ts [--events 1000000,10000000] [--file /tmp/events.db] [--rounds 31]
 *   bun bench/analytics.ts --quick [--save before.json] [--baseline before.json] [--rounds 15]
 *
 * A file that was loaded by an earlier run is used again. The quick one makes its own and asks the engine directly.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string' },
    file: { type: 'string' },
    rounds: { type: 'string' },
    alternations: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    save: { type: 'string' },
    baseline: { type: 'string' },
  },
});

await printMachine(`bun bench/analytics.ts ${process.argv.slice(2).join(' ')}`);
await (values.quick ? runQuick() : runAll());

async function runQuick(): Promise<void> {
  const figures = await measureQuickly({
    events: Number(values.events ?? 1_000_000),
    rounds: Number(values.rounds ?? 15),
  });
  printQuickly(figures, values.baseline);
  if (values.save) saveQuickly(figures, values.save);
}

async function runAll(): Promise<void> {
  const sizes = (values.events ?? '10000000').split(',').map(Number);
  if (values.file && sizes.length > 1) throw new Error('--file is for one number of --events.');
  const measured: Measured[] = [];
  for (const events of sizes)
    measured.push(
      await runSize({
        events,
        file: values.file ?? `/tmp/pagemeter-bench-${events}.db`,
        rounds: Number(values.rounds ?? 31),
        alternations: Number(values.alternations),
        measureMs: Number(values.seconds) * 1_000,
      }),
    );
  if (measured.length > 1) printGrowth(measured);
  const targeted = measured.flatMap(({ figures }) => figures.filter(({ isMet }) => isMet !== undefined));
  console.log(`\n${targeted.filter(({ isMet }) => isMet).length} of ${targeted.length} targets met`);
}
