/** Formats of figures. Creating a formatter costs more than a hundred uses, so each is created once. */

/** Language of the pages, which names and numbers must match. */
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

/** Largest count that is written out; larger ones are shortened. */
const WRITTEN_OUT_MAX = 9_999;
/** Fraction below which percentages have one decimal. */
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

/** `visitor` after `1`, `visitors` after any other figure; also `views per visit`. @param units in the plural */
export function unitOf(figure: string, units: string): string {
  return figure === '1' ? units.replace(/s( per |$)/, '$1') : units;
}

/** `1 visitor`, `12,345 visitors`. */
export const formatCountOf = (count: number, units: string) =>
  `${formatCountLong(count)} ${unitOf(String(count), units)}`;

/** `45%`; below 10% with one decimal. A fraction above 0 is never shown as 0. */
export function formatPercent(fraction: number): string {
  if (fraction > 0 && fraction < SMALLEST_PERCENT)
    return `<${numbers('percentSmall').format(SMALLEST_PERCENT)}`;
  return numbers(fraction < SMALL_PERCENT ? 'percentSmall' : 'percent').format(fraction);
}

export function formatDecimal(value: number): string {
  return numbers('decimal').format(value);
}

/** `0s`, `45s`, `1m 23s`, `2h 5m`: the two largest units, without zero ones. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts =
    whole >= 3_600
      ? [`${Math.floor(whole / 3_600)}h`, minutesPart(Math.floor((whole % 3_600) / 60))]
      : [minutesPart(Math.floor(whole / 60)), whole % 60 === 0 ? '' : `${whole % 60}s`];
  return parts.filter(Boolean).join(' ') || '0s';
}

const minutesPart = (minutes: number) => (minutes === 0 ? '' : `${minutes}m`);

/** Change below which figures vary from day to day without a cause. */
const NOISE_PERCENT = 2;
/** Minimum people for a meaningful change. */
const PEOPLE_MIN = 10;

export type Change = { text: string; direction: 'up' | 'down' | 'same' | 'new' };

/**
 * `+12%`, `−5%`, `0%`.
 *
 * @param percent the service's change: null when the earlier figure was 0
 * @param now the figure itself: 0 after 0 counts as unchanged
 * @param people visitors now or before, whichever is more
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

/** Change between two figures in percent, computed as the service does. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100;
}

/** Formats with the decimals that `formatDecimal` leaves out. */
export function formatDecimalLong(value: number): string {
  return numbers('decimalLong').format(value);
}

/** `€1,234.50`, with the decimals of the amount, which are those of its currency. */
export function formatMoney({ amount, currency }: { amount: string; currency: string }): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = formatter(`money ${currency} ${digits}`, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // The API writes exact decimal texts.
  return format.format(amount as Intl.StringNumericLiteral).replace('-', '−');
}
