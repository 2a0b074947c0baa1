/** Figures as people read them. Making a formatter costs more than using it a hundred times, so each is made once. */

/** What the pages are written in: names and numbers beside the words of another language would be half a translation. */
export const PAGE_LANGUAGE = 'en';

const NUMBER_STYLES = {
  whole: { maximumFractionDigits: 0 },
  compact: { notation: 'compact', maximumSignificantDigits: 3 },
  decimal: { maximumFractionDigits: 1 },
  decimalLong: { maximumFractionDigits: 2 },
  percent: { style: 'percent', maximumFractionDigits: 0 },
  percentSmall: { style: 'percent', maximumFractionDigits: 1 },
  change: { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' },
} satisfies Record<string, Intl.NumberFormatOptions>;

/** Up to here a count is written out, above it is shortened. */
const WRITTEN_OUT_MAX = 9_999;
/** One digit behind the point tells parts apart below this. */
const SMALL_PERCENT = 0.1;
const SMALLEST_PERCENT = 0.001;

const formatters = new Map<string, Intl.NumberFormat>();

const numbers = (style: keyof typeof NUMBER_STYLES) => formatter(style, NUMBER_STYLES[style]);

function formatter(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formatters.get(key) ?? new Intl.NumberFormat(PAGE_LANGUAGE, options);
  formatters.set(key, known);
  return known;
}

/** `9,999`, `12.3k`, `1.23M`: for cards and axes. */
export function formatCount(count: number): string {
  if (count <= WRITTEN_OUT_MAX) return formatCountLong(count);
  return numbers('compact').format(count).replace('K', 'k');
}

/** `12,345`: for tables and tooltips. */
export function formatCountLong(count: number): string {
  return numbers('whole').format(count);
}

/** `visitor` behind `1`, `visitors` behind any other figure; `views per visit` alike. @param units of many */
export function unitOf(figure: string, units: string): string {
  return figure === '1' ? units.replace(/s( per |$)/, '$1') : units;
}

/** `1 visitor`, `12,345 visitors`. */
export const formatCountOf = (count: number, units: string) =>
  `${formatCountLong(count)} ${unitOf(String(count), units)}`;

/** `45%`; below 10% with one digit more, and what is not nothing never reads as nothing. */
export function formatPercent(fraction: number): string {
  if (fraction > 0 && fraction < SMALLEST_PERCENT)
    return `<${numbers('percentSmall').format(SMALLEST_PERCENT)}`;
  return numbers(fraction < SMALL_PERCENT ? 'percentSmall' : 'percent').format(fraction);
}

export function formatDecimal(value: number): string {
  return numbers('decimal').format(value);
}

/** `0s`, `45s`, `1m 23s`, `2h 5m`: the two largest units, without one that is nothing. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts =
    whole >= 3_600
      ? [`${Math.floor(whole / 3_600)}h`, minutesPart(Math.floor((whole % 3_600) / 60))]
      : [minutesPart(Math.floor(whole / 60)), whole % 60 === 0 ? '' : `${whole % 60}s`];
  return parts.filter(Boolean).join(' ') || '0s';
}

const minutesPart = (minutes: number) => (minutes === 0 ? '' : `${minutes}m`);

/** Figures differ by this much from day to day without any reason. */
const NOISE_PERCENT = 2;
/** Of fewer people a change says nothing: one more or less makes it. */
const PEOPLE_MIN = 10;

export type Change = { text: string; direction: 'up' | 'down' | 'same' | 'new' };

/**
 * `+12%`, `−5%`, `0%`.
 *
 * @param percent as the service answers it: null when the earlier figure was 0
 * @param now the figure itself: nothing after nothing is no change
 * @param people how many it is of, now or before, whichever is more
 */
export function formatChange(percent: number | null, now = 1, people = Number.POSITIVE_INFINITY): Change {
  const isFew = people < PEOPLE_MIN;
  if (percent === null && now !== 0) return { text: 'New', direction: isFew ? 'same' : 'new' };
  const rounded = Math.round(percent ?? 0);
  const text = numbers('change')
    .format(rounded / 100)
    .replace('-', '−');
  const isNoise = Math.abs(percent ?? 0) < NOISE_PERCENT || isFew;
  return { text, direction: isNoise ? 'same' : rounded > 0 ? 'up' : 'down' };
}

/** Two figures of a chart, compared as the service does it. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100;
}

/** The digits behind the point that `formatDecimal` leaves out. */
export function formatDecimalLong(value: number): string {
  return numbers('decimalLong').format(value);
}

/** `€1,234.50`: with the digits that the amount has, which are those of its currency. */
export function formatMoney({ amount, currency }: { amount: string; currency: string }): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = formatter(`money ${currency} ${digits}`, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as Intl.StringNumericLiteral); // decimal texts, which the API writes, are exact
}
