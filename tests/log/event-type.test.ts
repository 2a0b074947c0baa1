import { expect, test } from 'bun:test';
import { toEventType, toTypeCode } from '../../src/log/event-type.ts';
import { EVENT_TYPES } from '../../src/vocabulary/contract.ts';

test('each event type is stored under a code that leads back to it, and an unknown code is a fault', () => {
  expect(EVENT_TYPES.map((type) => toEventType(toTypeCode(type)))).toEqual([...EVENT_TYPES]);
  expect(() => toEventType(3)).toThrow('Unknown event type 3');
});
