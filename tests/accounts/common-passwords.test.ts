import { expect, test } from 'bun:test';
import { findCommonFault } from '../../src/vocabulary/common-passwords.ts';
import { COMMON_FAULT } from '../support/refusals.ts';

const COMMON = [
  'Password',
  'Password1',
  'PASSWORD123',
  'Password1!',
  'Password_2026',
  'P@ssw0rd!!',
  'Summer2026!',
  'Qwerty123!',
  'Welcome1.',
  'A12345678',
  'Aa123456',
  'Abc12345',
  '1Q2w3e4r',
  '1Q2w3e4r5t!',
];
test.each(COMMON)('%s is a common password', (password) => {
  expect(findCommonFault(password)).toBe(COMMON_FAULT);
});

const UNCOMMON = ['Correct-horse-9', 'Summer2026!x', 'xPassword1', 'A!48213975', 'A1234567x', 'ÜberÄlles1'];
test.each(UNCOMMON)('%s is not a common password', (password) => {
  expect(findCommonFault(password)).toBeUndefined();
});
