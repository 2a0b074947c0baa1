import { parseArgs } from 'node:util';
import { runRemoteBattery } from './remote-battery.ts';

/** The long version of tests/remote/faults.test.ts: `bun tests/faults/remote.ts --cycles 40 [--seed 1]` */

const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const { cycles, acknowledged, networkFaults, faults } = await runRemoteBattery(
  Number(values.cycles),
  Number(values.seed),
);
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(
  `${cycles} cycles: ${acknowledged} events acknowledged through ${networkFaults} faults of the network, ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
