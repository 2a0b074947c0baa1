import { parseArgs } from 'node:util';
import { runKillBattery } from './kill-battery.ts';

/** The long version of kill.test.ts: `bun tests/faults/kill.ts --cycles 100 [--seed 1]` */

const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const { cycles, acknowledged, cutOff, faults, restartMs } = await runKillBattery(
  Number(values.cycles),
  Number(values.seed),
);
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(
  `${cycles} kills: ${acknowledged} events acknowledged, ${cutOff} cut off and sent again, ${faults.length} faults; ` +
    `restart to first answer: median ${restartMs.median} ms, p95 ${restartMs.p95} ms`,
);
process.exit(faults.length === 0 ? 0 : 1);
