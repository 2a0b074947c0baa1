import { expect, test } from 'bun:test';
import { nameOf } from '../../src/dashboard/websites/AddWebsite.tsx';

test.each([
  ['https://www.example.com/', 'example.com'],
  ['https://münchen.example', 'münchen.example'],
  ['https://xn--mnchen-3ya.example/a', 'münchen.example'],
])('the website %s is named %s, as people read it', (address, name) => {
  expect(nameOf(address)).toBe(name);
});
