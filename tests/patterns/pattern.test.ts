import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { judgePattern, toPatternTest } from '../../src/patterns/compiled.ts';

const NOT_A_PROPERTY =
  '\\p takes a general category or a script in braces, as in \\p{L} or \\p{Greek}, at character 2';

describe('a pattern', () => {
  test.each<[string, string[], string[]]>([
    ['', ['', 'a'], []],
    ['b', ['b', 'abc'], ['', 'B']],
    ['^/blog/', ['/blog/', '/blog/a'], ['/blog', '/a/blog/']],
    ['\\.pdf$', ['/a.pdf'], ['/a.pdf/', '/apdf']],
    ['^$', [''], [' ']],
    ['^(/a|/b)+$', ['/a', '/a/b'], ['', '/a/c']],
    ['^[^/]*$', ['', 'a'], ['/', 'a/']],
    ['^.$', ['a', 'ü', '😀'], ['', '\n', 'ab']],
    ['[😀-😎]', ['a😃'], ['a', '🙏']],
    ['^\\d{2,3}$', ['12', '123'], ['1', '1234', '1a']],
    ['^\\w+\\s\\W$', ['a_1 !'], ['a_1!', 'a b']],
    ['[\\]\\-x]', [']', '-', 'x'], ['\\']],
    ['[a-]', ['a', '-'], ['b']],
    ['(?i)^ÜBER', ['über', 'Über uns'], ['uber']],
    ['(?i)[^a]', ['b', 'B'], ['a', 'A', 'Aa']],
    ['a{,2}', ['a{,2}'], ['aa']],
    ['^(|a)b', ['b', 'ab'], ['aab', 'cb']],
    ['^a??b+?$', ['b', 'abb'], ['aab']],
    ['(^|/)x', ['x', '/x', 'a/x'], ['ax']],
    ['x{0}y', ['y'], ['x']],
    ['\\bcat\\b', ['cat', 'a cat!', 'ü-cat'], ['cats', 'tomcat', 'cat_']],
    ['\\Bcat', ['tomcat'], ['cat', 'a cat']],
    ['^\\B$', [''], ['a']],
    ['\\b', ['a', '!a'], ['', '!', 'ü']],
    ['a(\\b|c)d?$', ['a', 'acd', 'ac'], ['ad', 'ab']],
    ['^\\p{Lu}\\p{L}+$', ['Über', 'Σίσυφος'], ['über', 'U2', 'Ü']],
    ['^[\\p{Greek}\\d]+$', ['αβγ1'], ['abc', 'α b']],
    ['^\\P{L}+$', ['12 !', '🙏'], ['1a', 'é']],
    ['(?i)^\\p{Lu}$', ['a', 'A', 'ü'], ['1']],
    ['(?i)^[\\P{Lu}]$', ['1'], ['a', 'A']],
    ['^\\p{C}$', ['\t', '\u{e000}'], ['a', '\u0378']],
  ])('%s', (pattern, alike, others) => {
    const isAlike = toPatternTest(pattern);
    expect(alike.filter((text) => !isAlike(text))).toEqual([]);
    expect(others.filter(isAlike)).toEqual([]);
  });

  test.each<[string, string]>([
    ['*', 'Nothing stands before *, at character 1'],
    ['a**', 'A repetition is repeated again, at character 4'],
    ['(a', 'Unclosed (, at character 3'],
    ['a)', 'Unmatched ), at character 2'],
    ['[a', 'Unclosed [, at character 3'],
    ['[]', 'Empty class [], at character 3'],
    ['[[:alpha:]]', 'Named classes such as [:alpha:] are not supported, at character 2'],
    ['[z-a]', 'A range must end with a single character that is not before its first one, at character 5'],
    ['[\\d-z]', 'A range must begin with a single character, at character 4'],
    ['\\', 'Nothing follows the last \\, at character 2'],
    ['(a)\\1', 'Unknown escape \\1, at character 5'],
    ['[\\b]', 'Unknown escape \\b, at character 3'],
    ['\\p{Nope}', NOT_A_PROPERTY],
    ['\\p{Cn}', NOT_A_PROPERTY],
    ['\\pL', NOT_A_PROPERTY],
    ['\\p{L', NOT_A_PROPERTY],
    ['\\p{Script=Greek}', NOT_A_PROPERTY],
    ['(?=a)', 'After (? only : is supported, and (?i) at the beginning of the pattern, at character 2'],
    ['a{3,2}', 'A repetition ends below its beginning, at character 2'],
    ['a{257}', 'A repetition is of at most 256 times, at character 2'],
    ['a{0,99999}', 'A repetition is of at most 256 times, at character 2'],
    ['a^b', '^ stands only where a text can begin'],
    ['(a$|b)c', '$ stands only where a text can end'],
    ['('.repeat(10_000), 'Groups are nested more than 30 deep, at character 32'],
  ])('%s is refused', (pattern, fault) => {
    expect(judgePattern(pattern)).toBe(fault);
  });

  const TOO_LONG = 'Has more than 256 characters, those that are repeated counted as often as they are';
  test.each(['a'.repeat(10_000), 'a*'.repeat(5_000), '(a{16}){17}', '((){256}){256}', '((a|b){100}){2}'])(
    'of too many characters is refused',
    (pattern) => {
      expect(judgePattern(pattern)).toBe(TOO_LONG);
    },
  );

  test('may be as long as that', () => {
    expect(toPatternTest(`${'ab'.repeat(127)}[cd]{2}`)(`x${'ab'.repeat(127)}cd`)).toBe(true);
    expect(toPatternTest('(a{16}){16}')('a'.repeat(255))).toBe(false);
    expect(toPatternTest('(a{16}){16}')('a'.repeat(256))).toBe(true);
  });

  test('means what it means to JavaScript', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'A',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\D',
      'ü',
      '(?:\\b)',
      '(?:\\B)',
      '\\p{Lu}',
    );
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      pattern: fc
        .array(tie('part'), { maxLength: 4 })
        .chain((parts) => fc.constantFrom(parts.join(''), parts.join('|'))),
      part: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc
          .tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
          .map((parts) => parts.join('')),
        fc
          .tuple(tie('pattern'), fc.constantFrom('', '', '*', '+', '?', '{0,2}', '{2}'))
          .map(([inner, repeats]) => `(${inner})${repeats}`),
      ),
    }));
    const whole = fc
      .tuple(fc.constantFrom('', '', '^'), pattern, fc.constantFrom('', '', '$'))
      .map(([begin, inner, end]) => (begin || end ? `${begin}(?:${inner})${end}` : inner));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '1', 'ü', 'Ü'), maxLength: 8 });
    fc.assert(
      fc.property(whole, fc.array(text, { maxLength: 8 }), fc.boolean(), (given, texts, isFolded) => {
        const isAlike = toPatternTest(isFolded ? `(?i)${given}` : given);
        const expected = new RegExp(given, isFolded ? 'iu' : 'u');
        for (const one of texts) expect([given, one, isAlike(one)]).toEqual([given, one, expected.test(one)]);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});

test('a pattern in use is compiled once, and an unused one makes room', () => {
  expect(toPatternTest('^/a')).toBe(toPatternTest('^/a'));
  const first = toPatternTest('x{256}');
  for (const letter of 'abcdefghijklmnopqrst') toPatternTest(`${letter}{256}`);
  expect(toPatternTest('x{256}')).not.toBe(first);
});
