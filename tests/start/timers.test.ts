import { afterEach, expect, jest, spyOn, test } from 'bun:test';
import { startTimers } from '../../src/timers.ts';
import { HOUR_MS } from '../../src/vocabulary/durations.ts';
import { createTestService } from '../support/service.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('looks every hour for websites that a command has deleted next to the service', async () => {
  const service = await createTestService();
  const wake = spyOn(service.cleaner, 'wake');
  jest.useFakeTimers();
  const backups = { last: () => undefined, turn: async () => {}, close: async () => {} };
  const exports = { turn: async () => {}, close: async () => {} };
  const stop = startTimers({ ...service, backups, exports }, service.database);
  jest.advanceTimersByTime(HOUR_MS + 1);
  expect(wake).toHaveBeenCalledTimes(2);
  stop();
  jest.useRealTimers();
  await service.close();
});
