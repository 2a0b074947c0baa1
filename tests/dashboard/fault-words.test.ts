import { expect, test } from 'bun:test';
import { describeFault } from '../../src/dashboard/state/fault-words.ts';

test.each([
  ['Name', ['Must not be empty'], true, 'Enter a name'],
  ['E-mail', ['Invalid email address'], true, 'Enter an e-mail'],
  ['E-mail', ['Invalid email address'], false, 'Enter an e-mail address such as you@example.com'],
  ['Website URL', ['Invalid domain URL'], false, 'Enter a web address such as example.com'],
  ['Name', ['Another goal has this name'], false, 'Another goal has this name'],
] as const)('a fault of the field %s, %p, is described', (label, sentences, isEmpty, expected) => {
  expect(describeFault({ sentences, isEmpty }, label)).toBe(expected);
});
