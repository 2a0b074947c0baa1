import { describe, expect, test } from 'bun:test';
import { readAddress } from '../../../src/analytics/derive/address.ts';
import { deriveOrigin } from '../../../src/analytics/derive/origin.ts';
import { findSource, isOnTheWay } from '../../../src/analytics/derive/sources.ts';
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
    // A visitor who signs in was here before.
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
    ['?gclid=', null, '', '', 'Direct'],
    ['?gclid=%20&msclkid', null, '', '', 'Direct'],
    ['?gbraid=1', null, '', 'Google', 'Paid Search'],
    ['?wbraid=1', 'https://www.google.com/', 'google.com', 'Google', 'Paid Search'],
    ['?gad_source=1', null, '', 'Google', 'Paid Search'],
    ['?dclid=1', null, '', 'Google', 'Display'],
    ['?ttclid=1', null, '', 'TikTok', 'Paid Social'],
    ['?twclid=1', 'https://t.co/', 't.co', 'X', 'Paid Social'],
    ['?li_fat_id=1', null, '', 'LinkedIn', 'Paid Social'],
    ['?yclid=1', null, '', 'Yandex', 'Paid Search'],
    ['?rdt_cid=1', null, '', 'Reddit', 'Paid Social'],
    ['?ScCid=1', null, '', 'Snapchat', 'Paid Social'],
    ['?epik=1', null, '', 'Pinterest', 'Paid Social'],
    ['?igsh=1', null, '', 'Instagram', 'Organic Social'],
    // Campaigns of several networks at once have a group of their own.
    ['?utm_source=google&utm_campaign=Summer+Cross-network', null, '', 'Google', 'Cross-network'],
    // Words of campaigns, however they are written.
    ['?utm_source=facebook_ads&utm_medium=cpc', null, '', 'Facebook', 'Paid Social'],
    ['?utm_source=FaceBook+Ads', null, '', 'Facebook', 'Paid Social'],
    ['?utm_source=google_ads&utm_medium=cpc', null, '', 'Google', 'Paid Search'],
    ['?utm_source=gads', null, '', 'Google', 'Paid Search'],
    ['?utm_source=yt&utm_medium=cpc', null, '', 'YouTube', 'Paid Video'],
    ['?utm_source=fbads', null, '', 'Facebook', 'Paid Social'],
    ['?utm_source=reddit-ads', null, '', 'Reddit', 'Paid Social'],
    ['?utm_source=twitter-ads', null, '', 'X', 'Paid Social'],
    ['?utm_source=threads', null, '', 'Threads', 'Organic Social'],
    ['?utm_source=leads', null, '', 'leads', 'Referral'],
    ['?utm_source=shop', null, '', 'shop', 'Referral'],
    ['?utm_source=constructor', null, '', 'constructor', 'Referral'],
    ['?utm_source=https://www.facebook.com/', null, '', 'Facebook', 'Organic Social'],
    ['?utm_source=https://www.B.example/a?b', null, '', 'b.example', 'Referral'],
    ['?utm_source=www.facebook.com/groups', null, '', 'Facebook', 'Organic Social'],
    ['?utm_source=android-app://com.reddit.frontpage', null, '', 'Reddit', 'Organic Social'],
    ['?utm_source=https://', null, '', 'https://', 'Referral'],
    ['?utm_source=and/or', null, '', 'and/or', 'Referral'],
    // Mails that were escaped twice.
    ['?utm_source=news&amp;utm_medium=Email', null, '', 'news', 'Email'],
    ['?a=1&amp;gclid=2', null, '', 'Google', 'Paid Search'],
    // Apps.
    ['', 'android-app://com.google.android.gm/', 'com.google.android.gm', 'Gmail', 'Email'],
    ['', 'android-app://com.linkedin.android', 'com.linkedin.android', 'LinkedIn', 'Organic Social'],
    ['', 'android-app://com.example.reader/', 'com.example.reader', 'com.example.reader', 'Referral'],
    [
      '',
      'android-app://com.google.android.googlequicksearchbox/',
      'com.google.android.googlequicksearchbox',
      'Google',
      'Organic Search',
    ],
    // Hosts that serve advertisements.
    ['', 'https://syndicatedsearch.goog/', 'syndicatedsearch.goog', 'Google', 'Paid Search'],
    ['', 'https://an.yandex.ru/', 'an.yandex.ru', 'Yandex', 'Paid Search'],
    ['', 'https://pagead2.googlesyndication.com/', 'pagead2.googlesyndication.com', 'Google', 'Display'],
    ['', 'https://ads.eu.criteo.com/', 'ads.eu.criteo.com', 'Criteo', 'Display'],
    ['', 'https://aax.amazon-adsystem.com/', 'aax.amazon-adsystem.com', 'Amazon', 'Paid Shopping'],
    // Places on the way, and one's own.
    ['', 'https://checkout.stripe.com/', 'checkout.stripe.com', '', 'Direct'],
    ['', 'https://www.paypal.com/', 'paypal.com', '', 'Direct'],
    ['', 'http://localhost:4000/', 'localhost', '', 'Direct'],
    ['', 'http://127.0.0.1/', '127.0.0.1', '', 'Direct'],
    ['', 'http://[::1]:3000/', '[::1]', '', 'Direct'],
    ['', 'https://b-example.translate.goog/', 'b-example.translate.goog', '', 'Direct'],
    ['', 'https://a-example.translate.goog/', '', '', 'Direct'],
    ['', 'https://shop.a.example/', '', '', 'Direct'],
    ['', 'https://a.example./', '', '', 'Direct'],
    ['', 'https://b.example./', 'b.example', 'b.example', 'Referral'],
  ] as const)('%s from %s', (query, referrerUrl, referrer, source, channel) => {
    expect(originOf(`https://a.example/${query}`, referrerUrl)).toMatchObject({ referrer, source, channel });
  });

  test.each([
    ['https://app.own.example/', 'https://own.example/', ''],
    ['https://own.co.uk/', 'https://blog.own.co.uk/', ''],
    ['https://one.co.uk/', 'https://two.co.uk/', 'two.co.uk'],
    ['https://one.github.io/', 'https://two.github.io/', 'two.github.io'],
    ['https://www-own--shop-example.translate.goog/', 'https://own-shop.example/', ''],
    ['https://own.tumblr.com/', 'https://www.tumblr.com/', 'tumblr.com'],
    ['http://10.0.0.1/', 'http://10.1.0.1/', '10.1.0.1'],
    ['https://own/', 'https://other/', 'other'],
  ])('the referrer of %s from %s is "%s"', (url, referrerUrl, referrer) => {
    expect(originOf(url, referrerUrl).referrer).toBe(referrer);
  });

  test('a website in Unicode does not refer to itself', () => {
    const { referrer } = originOf('https://xn--bcher-kva.example/', 'https://www.bücher.example/a');
    expect(referrer).toBe('');
  });

  test('mediums that differ in case are one', () => {
    expect(originOf('https://a.example/?utm_source=a&utm_medium=E-Mail', null)).toMatchObject({
      utmMedium: 'e-mail',
      channel: 'Email',
    });
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
    ['images.google.de', 'Google'],
    ['cn.bing.com', 'Bing'],
    ['fr.search.yahoo.com', 'Yahoo!'],
    ['malaysia.search.yahoo.com', 'Yahoo!'],
    ['m.baidu.com', 'Baidu'],
    ['lite.duckduckgo.com', 'DuckDuckGo'],
    ['docs.google.com', undefined],
    ['console.cloud.google.com', undefined],
    ['finance.yahoo.com', undefined],
    ['maps.yandex.ru', undefined],
    ['pan.baidu.com', undefined],
    ['aws.amazon.com', undefined],
    ['music.amazon.co.uk', undefined],
    ['smile.amazon.co.uk', 'Amazon'],
    ['developers.facebook.com', undefined],
    ['notebooklm.google.com', 'NotebookLM'],
    ['inbox.google.com', 'Gmail'],
    ['mail.yandex.ru', 'Yandex Mail'],
    ['cafe.naver.com', 'Naver Cafe'],
    ['webmail.b.example', 'webmail.b.example'],
    ['mail.example', undefined],
    ['43things.com', '43things.com'],
    ['43things', '43things.com'],
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
    ['pay.amazon.de', true],
    ['b-example.translate.goog', true],
    ['app.localhost', true],
    ['localhost.example', false],
  ])('visitors are on the way at %s: %p', (host, isPassed) => {
    expect(isOnTheWay(host)).toBe(isPassed);
  });
});
