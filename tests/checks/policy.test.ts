import { expect, test } from 'bun:test';
import { isAllowed } from '../../src/checks/policy.ts';

const script = new URL('https://stats.example.org/tracker.js');
const page = new URL('https://example.com/');

const scripts: [string, string[], boolean, string?][] = [
  ['no policy', [], true],
  ['a policy for something else', ["img-src 'self'"], true],
  ["'none'", ["script-src 'none'"], false],
  ['an empty list', ['script-src'], false],
  ["'self', for another origin", ["script-src 'self'"], false],
  ['the origin', ["script-src 'self' https://stats.example.org"], true],
  ['the host', ['script-src stats.example.org'], true],
  ['the host in other letters', ['SCRIPT-SRC Stats.Example.ORG'], true],
  ['another host', ['script-src example.org'], false],
  ['a wildcard', ['script-src *.example.org'], true],
  ['a wildcard of another domain', ['script-src *.ample.org'], false],
  ['everything', ['script-src *'], true],
  ['the scheme', ['script-src https:'], true],
  ['a weaker scheme', ['script-src http://stats.example.org'], true],
  ['another scheme', ['script-src data:'], false],
  ['the port', ['script-src https://stats.example.org:443'], true],
  ['another port', ['script-src https://stats.example.org:8443'], false],
  ['any port', ['script-src https://stats.example.org:*'], true],
  ['the path', ['script-src https://stats.example.org/tracker.js'], true],
  ['a path before it', ['script-src https://stats.example.org/js/'], false],
  ['the fallback', ["default-src 'self'"], false],
  ['the fallback, overruled', ["default-src 'self'; script-src https:"], true],
  ['elements before scripts', ["script-src 'none'; script-src-elem https:"], true],
  ['the first of two directives', ["script-src 'none'; script-src https:"], false],
  ['two policies', ['script-src https:', "script-src 'self'"], false],
  ['two policies in one header', ["script-src https:, script-src 'self'"], false],
  ['a nonce that the tag has', ["script-src 'nonce-abc'"], true, 'abc'],
  ['a nonce that the tag has not', ["script-src 'nonce-abc'"], false, 'x'],
  ["'strict-dynamic', which takes hosts away", ["script-src 'strict-dynamic' https:"], false],
  ["'strict-dynamic' with the nonce", ["script-src 'strict-dynamic' 'nonce-abc'"], true, 'abc'],
];
test.each(scripts)('%s: %p', (_, policies, expected, nonce = '') => {
  expect(isAllowed(policies, 'script', { url: script, page, nonce })).toBe(expected);
});

const requests: [string, boolean][] = [
  ["connect-src 'self'", false],
  ['connect-src https://stats.example.org', true],
  ['connect-src https://stats.example.org/api/', true],
  ["default-src 'self'; script-src *", false],
  ["script-src 'none'", true],
];
test.each(requests)('events under %p: %p', (policy, expected) => {
  const url = new URL('https://stats.example.org/api/v1/events');
  expect(isAllowed([policy], 'connect', { url, page })).toBe(expected);
});

test("'self' lets the page's own origin through, and its host over https", () => {
  const own = (url: string, of: string) =>
    isAllowed(["script-src 'self'"], 'script', { url: new URL(url), page: new URL(of) });
  expect(own('https://example.com/t.js', 'https://example.com/a')).toBe(true);
  expect(own('https://example.com/t.js', 'http://example.com/a')).toBe(true);
  expect(own('http://example.com/t.js', 'https://example.com/a')).toBe(false);
  expect(own('https://example.com:8443/t.js', 'https://example.com/a')).toBe(false);
});
