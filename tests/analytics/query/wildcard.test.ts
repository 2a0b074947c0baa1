import { describe, expect, test } from 'bun:test';
import { toWildcardTest } from '../../../src/analytics/embedded/query/wildcard.ts';

describe('a pattern', () => {
  test.each([
    ['/blog/*', ['/blog/', '/blog/a'], ['/blog', '/blog/a/b', '/blog/a/']],
    ['/blog/**', ['/blog/', '/blog/a', '/blog/a/b'], ['/blog', '/a/blog/b']],
    ['**/thanks', ['/thanks', '/shop/a/thanks'], ['/thanks/', '/thank']],
    ['/*/edit', ['/a/edit', '//edit'], ['/a/b/edit', '/edit']],
    ['/a*c*e', ['/ace', '/abcde', '/accee'], ['/a/ce', '/abcd']],
    ['/**/*.pdf', ['/x/y.pdf', '/x/.pdf'], ['/y.pdf', '/x/y.pdf/']],
    ['*', ['', 'a'], ['/', 'a/b']],
    ['****', ['', '/', 'a/b'], []],
    ['', [''], ['/']],
    ['/a', ['/a'], ['/A', '/a/']],
    ['/ü*', ['/üb'], ['/u']],
  ])('%s', (pattern, alike, others) => {
    const isLike = toWildcardTest(pattern);
    expect(alike.filter((text) => !isLike(text))).toEqual([]);
    expect(others.filter(isLike)).toEqual([]);
  });

  test('may be of many words, and of many stars', () => {
    const isLike = toWildcardTest(`${'/abcdefg'.repeat(20)}*${'x'.repeat(40)}`);
    expect(isLike(`${'/abcdefg'.repeat(20)}${'x'.repeat(41)}`)).toBe(true);
    expect(isLike(`${'/abcdefg'.repeat(20)}/${'x'.repeat(40)}`)).toBe(false);
    const stars = toWildcardTest('*a'.repeat(1_000));
    expect(stars('a'.repeat(1_000))).toBe(true);
    expect(stars(`${'a'.repeat(2_000)}b`)).toBe(false);
  });
});
