/**
 * Values of random traffic: few different values, so that they often meet, and each with something odd. Lists
 * begin with the plainest, to which failing cases shrink.
 */

const HOSTS = [
  'https://a.example',
  'https://www.a.example',
  'http://A.example:8080',
  'https://b.example',
  'https://bücher.example',
  'https://xn--bcher-kva.example',
];
const LONG = 'l'.repeat(260);
const PATHS = [
  ...['/', '', '/a', '/a/', '/A', '/a/b', '/a b', '/a%20b', '/x\ud800', '/%00'],
  ...[
    '/ü',
    '/%C3%BC',
    '/%c3%bc',
    '/%c3',
    '/%C3',
    '/%2Fa',
    '/%2fa',
    '/%25c3%25bc',
    '/%F0%9F%98%80',
    '/%ED%A0%80',
  ],
  ...[`/${LONG}`, `/${LONG}x`, `/${LONG.slice(0, 253)}%F0%9F%98%80`, '/%%34%31', '/%41', '/100%'],
];
const QUERIES = [
  '',
  '#a',
  '?',
  '?utm_source=google',
  '?utm_source=own&ref=hn',
  '?utm_source=Google&utm_source=bing',
  '?utm_source=&ref=hn&source=x',
  '?utm_source=%20own%20&utm_medium=email',
  '?source=newsletter&ref=%20',
  '?ref=m.facebook.com',
  '?utm_source=google&utm_medium=cpc&utm_campaign=Shop#x',
  '?utm_source=a.example&utm_medium=cpc',
  '?gclid=1&source=google',
  '?gclid=1',
  '?fbclid=1&msclkid=',
  '?fbclid=1',
  '?ref=accounts.google.com&gclid=1',
  `?utm_source=${LONG}&utm_campaign=+${LONG}x`,
  '?utm_term=a+b&utm_content=%E0%A4%A&utm_campaign=%F0%9F%98%80',
  '?utm_source=%00&utm_term=%ED%A0%80',
  '?UTM_SOURCE=google&utm_campaign=toString',
];
const ODD_URLS = [
  ...['not a url', 'not a%20url', 'http://', 'mailto:me@a.example', 'data:,x', 'https://a.example/\ud83d'],
  ...['(other)', 'app://xn--a.example/%c3', 'app://XN--BCHER-KVA.example/a'],
];

/** Half of the traffic is on these. */
export const PAGE_URLS = ['a.example/', 'a.example/a', 'a.example/a/b', 'a.example/A', 'www.a.example/a'].map(
  (address) => `https://${address}`,
);

export const URLS = [
  'https://a.example/#/pricing?utm_source=news&utm_medium=Email&source=x',
  'https://a.example/a?utm_source=x#!/b',
  'https://a.example/#/%c3%bc',
  ...PATHS.map((path) => `https://a.example${path}`),
  ...QUERIES.map((query) => `https://a.example/a${query}`),
  ...HOSTS.map((host) => `${host}/a/?ref=`),
  ...ODD_URLS,
];

export const REFERRERS = [
  'https://www.google.com/search?q=x',
  'https://google.co.uk',
  'https://m.facebook.com/',
  'https://a.example/a',
  'https://www.a.example:8080/',
  'https://www.b.example/x',
  'https://WWW.www.a.example',
  'https://bücher.example/',
  'https://www.xn--bcher-kva.example/x',
  'https://accounts.google.com/',
  'https://shop.okta.com/',
  'https://x.com/',
  'android-app://com.google.android.gm/',
  'https://t.co/1',
  'rubbish',
  '',
];

/** One of the two who come most often: a UUID, which is stored and looked up in another form than a text. */
export const UUID_VISITOR = '00000000-0000-4000-8000-00000000000b';
export const VISITORS = [
  'v',
  UUID_VISITOR,
  '00000000-0000-4000-8000-00000000000a',
  '00000000-0000-4000-8000-00000000000A',
  '\ufffd',
];
export const SESSIONS = ['s', 't', '00000000-0000-4000-8000-00000000000a', 'v'];
export const COUNTRIES = ['DE', 'de', 'FR', ''];
export const BROWSERS = ['Chrome', 'chrome', 'Chrome\ud800', 'İ'];
export const SYSTEMS = ['macOS', 'Windows', '__proto__'];
export const LANGUAGES = ['de', 'de-DE', 'toString'];
export const SCREENS = ['1x1', '1920x1080'];

const PLAIN_KEYS = ['name', 'plan', 'n', 'N', '__proto__', 'toString', '1', 'ü', 'x:y', 'z w'];
export const SENT_KEYS = [...PLAIN_KEYS, '\ud800', '\0'];
export const ASKED_KEYS = [...PLAIN_KEYS, '\ufffd'];
/** JSON texts. */
export const PROPERTY_VALUES = [
  '1',
  '"a"',
  '"signup"',
  '"Signup"',
  'null',
  '""',
  '0',
  '-0',
  '2.50',
  '-3e0',
  '1e21',
  '"1"',
  'true',
  'false',
  '"true"',
  '[]',
  '[1,{"a":null}]',
  '{"b":1,"a":"ü"}',
  '"\\ud800"',
  '"\\u0000"',
  '"İ"',
  '" "',
  '"(other)"',
  `"${LONG}"`,
  `"${LONG}x"`,
  `["${LONG}"]`,
];
/** Revenues of events, and values that resemble them. */
export const REVENUES = [
  '{"amount":"19.90","currency":"EUR"}',
  '{"amount":19.9,"currency":"EUR"}',
  '{"currency":"EUR","amount":"-5"}',
  '{"amount":"9999999999.99","currency":"USD"}',
  '{"amount":"1990","currency":"JPY","tax":0}',
  `{"items":["${LONG}"],"amount":"7.25","currency":"EUR"}`,
  `{"amount":"${LONG}","currency":"EUR"}`,
  `{"amount":7,"${LONG}":null}`,
  '{"amount":"1.234","currency":"KWD"}',
  '{"amount":"1.50","currency":"JPY"}',
  '{"amount":"1.5","currency":"JPY"}',
  '{"amount":"1.00","currency":"JPY"}',
  '{"amount":"19,90","currency":"EUR"}',
  '{"amount":"12345678901","currency":"EUR"}',
  '{"amount":1e308,"currency":"EUR"}',
  '{"amount":0.30000000000000004,"currency":"EUR"}',
  '{"amount":19.999,"currency":"EUR"}',
  '{"amount":"5","currency":"eur"}',
  '{"amount":"5","currency":"ınr"}',
  '{"amount":"NaN","currency":"EUR"}',
  '{"amount":"1","currency":"XXX"}',
  '{"amount":"1"}',
  '"19.90"',
  '19.9',
  'null',
];
export const ODD_PROPERTIES = ['{}', 'null', '[]', '[{"n":1}]', '"name"', '{', '', '{"n":1,"n":2}'];

/** Texts to filter by and to search for. */
export const FRAGMENTS = [
  'a',
  '',
  'A',
  'e',
  '/',
  'goo',
  'GOO',
  'direct',
  'x',
  'ü',
  'Ü',
  '1',
  '\ufffd',
  'i\u0307',
  'null',
  '(other)',
  '%c3%bc',
  '%C3',
  '/%2fa',
  'xn--bcher-kva',
  'bücher',
];
