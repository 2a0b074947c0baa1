/** The names under which browsers and operating systems are counted: the whole folding, as tables. */
import type { DeviceType } from '../vocabulary/contract.ts';

/**
 * From the parser's name, in lower case, to ours. What is not here keeps the parser's name. Three kinds:
 * the same browser on a phone or inside an app (one product, one row), a code name (the name people know),
 * and an exact spelling for names that the parser copies from the text as they stand.
 * An app that shows pages in itself (Facebook, Instagram, TikTok ...) keeps its name: it is where the
 * visitor was.
 */
export const BROWSER_NAMES: ReadonlyMap<string, string> = new Map([
  ['mobile safari', 'Safari'],
  ['safari', 'Safari'],
  ['chrome', 'Chrome'],
  ['chrome webview', 'Chrome'],
  ['chrome headless', 'Chrome'],
  ['chromium', 'Chromium'],
  ['firefox', 'Firefox'],
  ['firefox focus', 'Firefox'],
  ['firefox reality', 'Firefox'],
  ['fennec', 'Firefox'],
  ['klar', 'Firefox'],
  ['edge', 'Edge'],
  ['opera', 'Opera'],
  ['opera mobi', 'Opera'],
  ['opera tablet', 'Opera'],
  ['opera touch', 'Opera'],
  ['opera coast', 'Opera'],
  ['opera mini', 'Opera Mini'],
  ['ie', 'Internet Explorer'],
  ['iemobile', 'Internet Explorer'],
  ['gsa', 'Google App'],
  ['silk', 'Amazon Silk'],
  ['yandex', 'Yandex Browser'],
  ['ucbrowser', 'UC Browser'],
  ['qqbrowser', 'QQ Browser'],
  ['qqbrowserlite', 'QQ Browser'],
  ['miui browser', 'Mi Browser'],
  ['vivo browser', 'Vivo Browser'],
  ['oculus browser', 'Meta Quest Browser'],
  ['heytap', 'HeyTap Browser'],
  ['lbbrowser', 'Liebao'],
  ['360', '360 Browser'],
  ['2345', '2345 Browser'],
  ['115', '115 Browser'],
  ['whale', 'Whale'],
  ['brave', 'Brave'],
  ['vivaldi', 'Vivaldi'],
  ['duckduckgo', 'DuckDuckGo'],
  ['instagram', 'Instagram'],
  ['snapchat', 'Snapchat'],
  ['linkedin', 'LinkedIn'],
  ['twitter', 'Twitter'],
  ['line', 'Line'],
  ['kakaotalk', 'KakaoTalk'],
  ['naver', 'Naver'],
]);

/** Engines and placeholders, not browsers: what the parser answers when it found no better name. */
export const ENGINE_NAMES: ReadonlySet<string> = new Set(['webkit', 'khtml', 'mozilla']);

/** As above, for operating systems. A Linux distribution is Linux: browsers stopped naming it. */
export const OS_NAMES: ReadonlyMap<string, string> = new Map([
  ['windows', 'Windows'],
  ['mac os', 'macOS'],
  ['ios', 'iOS'],
  ['android', 'Android'],
  ['android-x86', 'Android'],
  ['android x86', 'Android'],
  ['harmonyos', 'HarmonyOS'],
  ['openharmony', 'HarmonyOS'],
  ['chromium os', 'Chrome OS'],
  ['kaios', 'KaiOS'],
  ['tizen', 'Tizen'],
  ['webos', 'webOS'],
  ['playstation', 'PlayStation'],
  ['nintendo', 'Nintendo'],
  ['xbox', 'Xbox'],
  ['blackberry', 'BlackBerry'],
  ['windows phone os', 'Windows Phone'],
  ['sailfish', 'Sailfish OS'],
  ['symbian', 'Symbian'],
  ['freebsd', 'FreeBSD'],
  ['openbsd', 'OpenBSD'],
  ['netbsd', 'NetBSD'],
  ['linux', 'Linux'],
  ['gnu', 'Linux'],
  ['arch', 'Linux'],
  ['centos', 'Linux'],
  ['debian', 'Linux'],
  ['deepin', 'Linux'],
  ['elementary os', 'Linux'],
  ['fedora', 'Linux'],
  ['gentoo', 'Linux'],
  ['kubuntu', 'Linux'],
  ['lubuntu', 'Linux'],
  ['mageia', 'Linux'],
  ['mandriva', 'Linux'],
  ['manjaro', 'Linux'],
  ['mint', 'Linux'],
  ['opensuse', 'Linux'],
  ['raspbian', 'Linux'],
  ['red hat', 'Linux'],
  ['slackware', 'Linux'],
  ['suse', 'Linux'],
  ['ubuntu', 'Linux'],
  ['xubuntu', 'Linux'],
]);

/**
 * The parser's device types in the three that we have. A television or a console is a large screen that
 * does not move; what is worn (a watch, a headset) goes where a person goes. A type that is not here (a
 * car, a loudspeaker) is like none of the three and stays unknown.
 */
export const DEVICE_TYPES_BY_NAME: ReadonlyMap<string, DeviceType> = new Map([
  ['mobile', 'mobile'],
  ['tablet', 'tablet'],
  ['smarttv', 'desktop'],
  ['console', 'desktop'],
  ['wearable', 'mobile'],
]);

/** The parser names no type for a computer: these systems are what is left then. */
export const DESKTOP_SYSTEMS: ReadonlySet<string> = new Set([
  'Windows',
  'macOS',
  'Linux',
  'Chrome OS',
  'FreeBSD',
  'OpenBSD',
  'NetBSD',
]);
