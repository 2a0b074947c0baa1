import { expect, test } from 'bun:test';
import { runKillBattery } from './kill-battery.ts';

test('keeps every acknowledged event exactly once through kill -9 under load', async () => {
  const { faults, acknowledged, cutOff } = await runKillBattery(5, 1);
  expect(faults).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
  expect(cutOff).toBeGreaterThan(0); // else it was not killed under load
}, 60_000);
