import type { Format, ReadContext, RowContent } from '../format.ts';
import { type LogRequest, toPageview } from '../log-request.ts';
import { eachLine } from '../source/lines.ts';

/** [host] address - user [time] "request" status bytes ["referrer" "User-Agent"] */
const LINE =
  /^(?:(\S+) )?(\S+) \S+ \S+ \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "((?:[^"\\]|\\.)*)" (\d{3}) \S+(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Access logs of Apache and nginx: common, combined, and combined with the virtual host before it. */
export const accessLog: Format = {
  name: 'access-log',
  matches: ({ head }) => LINE.test(head.trimStart().split('\n', 1)[0] ?? ''),
  columns: {
    time: 'time',
    request: 'url',
    referrer: 'referrer',
    'user agent': 'browser, os, deviceType, visitorId (with the address, as a keyed hash)',
    address: 'location, region, city, visitorId',
    status: 'left out unless it is a success',
  },
  read: (files, context) => eachLine(files, (line) => toRow(line, context)),
};

function toRow(line: string, context: ReadContext): RowContent {
  const found = LINE.exec(line);
  if (!found) return { reason: 'Not a line of an access log' };
  const [, host, address = '', day, month = '', year, time, zone, request = '', status, referrer, userAgent] =
    found;
  const [method = '', target = ''] = request.split(' ');
  const monthNumber = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  return toPageview(
    {
      atMs: Date.parse(`${year}-${monthNumber}-${day}T${time}${zone?.slice(0, 3)}:${zone?.slice(3)}`),
      host: host?.replace(/:\d+$/, ''),
      address,
      method,
      target,
      status: Number(status),
      referrer: referrer && withoutBackslashes(referrer),
      userAgent: userAgent && withoutBackslashes(userAgent),
    } satisfies LogRequest,
    line,
    context,
  );
}

/** Servers write quotes and backslashes with a backslash before them. */
function withoutBackslashes(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}
