import { expect, test } from 'bun:test';
import { runRemoteBattery } from '../faults/remote-battery.ts';
import { startSqld } from '../support/sqld.ts';

const sqld = await startSqld();
await sqld?.stop();

test.if(sqld !== undefined)(
  'two processes on a server keep and count every acknowledged event once, whatever is killed or cut',
  async () => {
    const { faults, acknowledged, networkFaults } = await runRemoteBattery(4, 1);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(networkFaults).toBeGreaterThan(0);
  },
  120_000,
);
