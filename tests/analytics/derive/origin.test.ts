import { describe, expect, test } from 'bun:test';
import { readAddress } from '../../../src/analytics/derive/address.ts';
import { deriveOrigin } from '../../../src/analytics/derive/origin.ts';
import { findSource, isSignInHost } from '../../../src/analytics/derive/sources.ts';
import { ORIGIN_DIMENSIONS } from '../../../src/vocabulary/analytics.ts';

function originOf(url: string, referrer: string | null): Record<string, string> {
  const values = deriveOrigin(readAddress(url), referrer);
  return Object.fromEntries(ORIGIN_DIMENSIONS.map((name, index) => [name, values[index] ?? '']));
}

describe('referrer, source and channel of a visit', () => {
  test.each([
    ['', null, '', '', 'Direct'],
    ['', '', '', '', 'Direct'],
    ['', 'rubbish', '', '', 'Direct'],
    ['', 'https://www.google.de/search?q=x', 'google.de', 'Google', 'Organic Search'],
    ['', 'https://a.example/a', '', '', 'Direct'],
    ['', 'https://www.a.example:8080/', '', '', 'Direct'],
    ['', 'https://www.b.example/x', 'b.example', 'b.example', 'Referral'],
    ['', 'https://m.facebook.com/', 'm.facebook.com', 'Facebook', 'Organic Social'],
    // Hosts as people read them.
    ['', 'https://xn--bcher-kva.example/', 'bücher.example', 'bücher.example', 'Referral'],
    ['', 'https://bücher.example/', 'bücher.example', 'bücher.example', 'Referral'],
    ['?ref=xn--bcher-kva.example', null, '', 'xn--bcher-kva.example', 'Referral'],
    // X, by any of its names.
    ['', 'https://t.co/1', 't.co', 'X', 'Organic Social'],
    ['', 'https://x.com/', 'x.com', 'X', 'Organic Social'],
    ['?utm_source=twitter', null, '', 'X', 'Organic Social'],
    // Whoever signs in was here before.
    ['', 'https://accounts.google.com/', 'accounts.google.com', '', 'Direct'],
    ['', 'https://accounts.google.co.uk/o', 'accounts.google.co.uk', '', 'Direct'],
    ['', 'https://shop.okta.com/', 'shop.okta.com', '', 'Direct'],
    ['', 'https://www.okta.com/', 'okta.com', 'okta.com', 'Referral'],
    ['?utm_source=Ad&utm_medium=cpc', 'https://login.live.com/', 'login.live.com', 'Ad', 'Paid Other'],
    ['?ref=accounts.google.com', null, '', 'accounts.google.com', 'Referral'],
    // A click id says who sent the visitor when nothing else does.
    ['?gclid=1', null, '', 'Google', 'Paid Search'],
    ['?msclkid=1', null, '', 'Bing', 'Paid Search'],
    ['?fbclid=1', null, '', 'Facebook', 'Organic Social'],
    ['?fbclid=1&gclid=2', null, '', 'Google', 'Paid Search'],
    ['?gclid=1', 'https://accounts.google.com/', 'accounts.google.com', 'Google', 'Paid Search'],
    ['?gclid=1', 'https://a.example/', '', 'Google', 'Paid Search'],
    ['?gclid=1', 'https://www.b.example/', 'b.example', 'b.example', 'Paid Other'],
    ['?fbclid=1', 'https://www.instagram.com/', 'instagram.com', 'Instagram', 'Organic Social'],
    ['?gclid=1&utm_source=letter', null, '', 'letter', 'Paid Other'],
    ['?gclid=1&ref=hn', null, '', 'Hacker News', 'Paid Social'],
    ['?GCLID=1', null, '', '', 'Direct'],
  ] as const)('%s from %s', (query, referrerUrl, referrer, source, channel) => {
    expect(originOf(`https://a.example/${query}`, referrerUrl)).toMatchObject({ referrer, source, channel });
  });

  test('a website in Unicode does not refer to itself', () => {
    const { referrer } = originOf('https://xn--bcher-kva.example/', 'https://www.bücher.example/a');
    expect(referrer).toBe('');
  });

  test('texts are trimmed, then cut after 255 units', () => {
    const long = 'a'.repeat(300);
    expect(originOf(`https://a.example/?utm_source=%20${long}&utm_term=+b+`, null)).toMatchObject({
      utmSource: long.slice(0, 255),
      source: long.slice(0, 255),
      utmTerm: 'b',
    });
  });
});

describe('a source by its host', () => {
  test.each([
    ['google.com', 'Google'],
    ['news.google.co.uk', 'Google'],
    ['mail.google.com', 'Gmail'],
    ['shopping.google.com', 'Google Shopping'],
    ['accounts.google.com', undefined],
    ['oauth.accounts.google.com', undefined],
    ['notgoogle.com', undefined],
    ['google.example.com', undefined],
    ['toString', undefined],
  ])('%s is %s', (host, name) => {
    expect(findSource(host)?.name).toBe(name);
  });

  test.each([
    ['accounts.google.com', true],
    ['passport.yandex.ru', true],
    ['tenant.eu.auth0.com', true],
    ['auth0.com', false],
    ['accounts.b.example', false],
    ['login.microsoftonline.com.b.example', false],
    ['', false],
  ])('people sign in at %s: %p', (host, isSignIn) => {
    expect(isSignInHost(host)).toBe(isSignIn);
  });
});
