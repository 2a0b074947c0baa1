import { describe, expect, test } from 'bun:test';
import { readAddress, toHostForm, toPageForm } from '../../../src/analytics/derive/address.ts';
import { EVENT_FLAGS } from '../../../src/vocabulary/contract.ts';

describe('the page of an address', () => {
  test.each([
    ['https://a.example', '/'],
    ['https://a.example/a/b/?q=1#c', '/a/b/'],
    ['https://a.example/ü', '/ü'],
    ['https://a.example/%c3%bc', '/ü'],
    ['https://a.example/%C3%BC', '/ü'],
    ['https://a.example/%E6%97%A5%E6%9C%AC', '/日本'],
    ['https://a.example/%F0%9F%98%80', '/😀'],
    ['https://a.example/a b%20c', '/a b c'],
    ['https://a.example/%7Eme/%41%2d%2E', '/~me/A-.'],
    ['https://a.example/"<>`{}', '/"<>`{}'],
    // What has a meaning in an address stays.
    ['https://a.example/a%2fb%3fc%23d%25e', '/a%2Fb%3Fc%23d%25e'],
    ['https://a.example/%2541', '/%2541'],
    // So does what cannot be seen.
    ['https://a.example/%00%0a%1f%7f', '/%00%0A%1F%7F'],
    ['https://a.example/%c2%80%c2%9f%c2%a0', '/%C2%80%C2%9F\u00a0'],
    ['https://a.example/pricing%E2%80%8B', '/pricing%E2%80%8B'],
    ['https://a.example/a\u00adb\ufeff\u202e\u2060', '/a%C2%ADb%EF%BB%BF%E2%80%AE%E2%81%A0'],
    ['https://a.example/\u200d/a\u200c', '/%E2%80%8D/a%E2%80%8C'],
    ['https://a.example/👩‍💻/👩🏽‍🚀/🏳️‍🌈', '/👩‍💻/👩🏽‍🚀/🏳️‍🌈'],
    ['https://a.example/می‌خواهم', '/می‌خواهم'],
    // And what is not UTF-8: cut off, too long, a surrogate, beyond the last character.
    ['https://a.example/%c3', '/%C3'],
    ['https://a.example/%c3%28', '/%C3('],
    ['https://a.example/%bc%c3%bc', '/%BCü'],
    ['https://a.example/%e6%97', '/%E6%97'],
    ['https://a.example/%c0%af%e0%80%af%f0%80%80%af', '/%C0%AF%E0%80%AF%F0%80%80%AF'],
    ['https://a.example/%ed%a0%80', '/%ED%A0%80'],
    ['https://a.example/%f4%90%80%80%ff', '/%F4%90%80%80%FF'],
    ['https://a.example/100%/%zz/%4', '/100%/%zz/%4'],
    ['https://a.example/\ud800', '/\ufffd'],
    // No address at all.
    ['not a%20url', 'not a%20url'],
    ['mailto:me@a.example', 'me@a.example'],
  ])('%s is %s', (url, page) => {
    expect(readAddress(url).page).toBe(page);
  });

  test('is cut after 255 units, and is well-formed then', () => {
    expect(readAddress(`https://a.example/${'a'.repeat(254)}b`).page).toBe(`/${'a'.repeat(254)}`);
    expect(readAddress(`https://a.example/${'a'.repeat(253)}😀`).page).toBe(`/${'a'.repeat(253)}\ufffd`);
    expect(readAddress(`https://a.example/${'%C3%BC'.repeat(254)}`).page).toBe(`/${'ü'.repeat(254)}`);
  });

  test('is found quickly, whatever is sent', () => {
    const hostile = ['%ff', '%e6%97', '%f0%9f%98', '%'].map((part) => part.repeat(700));
    for (const text of hostile) expect(toPageForm(`/${text}`)).toBe(`/${text.toUpperCase()}`);
  });
});

describe('the page of an address whose fragment is a route', () => {
  test.each([
    ['https://a.example/#/pricing', '/#/pricing', ''],
    ['https://a.example/app/?q=1#!/docs', '/app/#!/docs', 'q=1'],
    ['https://a.example/#/pricing?plan=a?b#c', '/#/pricing', ''],
    ['https://a.example/#/?utm_source=news&source=x', '/#/', 'utm_source=news'],
    ['https://a.example/?utm_source=mail#/a?utm_source=news', '/#/a', 'utm_source=mail&utm_source=news'],
    ['https://a.example/#/%c3%bc/ü', '/#/ü/ü', ''],
    ['https://a.example/', '/', ''],
    [`https://a.example/#/${'a'.repeat(2_000)}`, `/#/${'a'.repeat(252)}`, ''],
    ['https://a.example/#/a\u202eb', '/#/a%E2%80%AEb', ''],
  ])('%s is %s', (url, page, query) => {
    const address = readAddress(url, EVENT_FLAGS.route);
    expect(address.page).toBe(page);
    expect(`${address.query ?? ''}`).toBe(query);
  });

  test('is its path in events of before', () => {
    expect(readAddress('https://a.example/#/pricing?utm_source=a', 0)).toMatchObject({
      page: '/',
      query: undefined,
    });
  });
});

describe('the host of an address', () => {
  test.each([
    ['https://WWW.A.example:8080/', 'www.a.example'],
    ['https://bücher.example/', 'bücher.example'],
    ['https://xn--bcher-kva.example/', 'bücher.example'],
    ['https://XN--BCHER-KVA.example/', 'bücher.example'],
    ['https://b%C3%BCcher.example/', 'bücher.example'],
    ['https://xn--ls8h.example/', '💩.example'],
    ['https://[::1]/', '[::1]'],
    ['https://a.example./', 'a.example'],
    ['https://xn--bcher-kva.example./', 'bücher.example'],
    ['https://127.0.0.1/', '127.0.0.1'],
    ['https://a_b.xn--bcher-kva.example/', 'a_b.bücher.example'],
    // A label that is none: of a scheme whose hosts are not judged.
    ['app://xn--a.example/', 'xn--a.example'],
    ['app://xn--a.xn--bcher-kva/', 'xn--a.xn--bcher-kva'],
    ['mailto:me@a.example', ''],
    ['not a url', ''],
  ])('%s is %s', (url, hostname) => {
    expect(readAddress(url).hostname).toBe(hostname);
  });
});

describe('the query of an address', () => {
  test.each([
    ['https://a.example/?', undefined],
    ['https://a.example/#?b=1', undefined],
    ['https://a.example/?b=%C3%BC#c', 'ü'],
  ])('%s', (url, value) => {
    expect(readAddress(url).query?.get('b')).toBe(value);
  });
});

describe('what a question names', () => {
  test.each([
    ['/ü', '/ü'],
    ['/%c3%bc', '/ü'],
    ['%C3%B', '%C3%B'],
    ['/a%2fb', '/a%2Fb'],
    ['', ''],
  ])('a page %s is %s', (text, form) => {
    expect(toPageForm(text)).toBe(form);
  });

  test.each([
    ['bücher.example', 'bücher.example'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['xn--bcher-kva', 'bücher'],
    ['Google', 'Google'],
    ['x/xn--bcher-kva', 'x/xn--bcher-kva'],
    ['xn--', 'xn--'],
    ['', ''],
  ])('a host %s is %s', (text, form) => {
    expect(toHostForm(text)).toBe(form);
  });
});
