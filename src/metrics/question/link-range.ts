import type { Parameters } from '../../http/parameters.ts';
import type { Period } from '../../vocabulary/contract.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { type Range, readBound, toPeriodRange } from '../time/range.ts';
import { findZone, requireUtc } from '../time/zone.ts';

/** The only range that a share link shows; null: any. */
export type LinkRange = { period: Period } | { from: string; to: string } | null;

type Subject = {
  website: { timezone: string };
  nowMs: number;
  findBeganAtMs: () => Promise<number>;
};

const TEXT_LENGTH_MAX = 64;

/**
 * Returns the range of a link that has one, in the days of the website.
 *
 * @throws AppError FORBIDDEN when parameters name another range, time zone or comparison
 */
export async function readLinkRange(
  parameters: Parameters,
  link: NonNullable<LinkRange>,
  subject: Subject,
): Promise<{ range: Range; period: Period | undefined }> {
  const own: Record<string, string> = { ...link, timezone: subject.website.timezone };
  for (const name of ['period', 'from', 'to', 'timezone']) {
    const text = parameters.text(name, TEXT_LENGTH_MAX);
    if (text !== undefined && text !== own[name]) throw onlyItsRange();
  }
  const compare = parameters.text('compare', TEXT_LENGTH_MAX);
  if (compare !== undefined && compare !== 'previous') throw onlyItsRange();
  return toLinkRange(link, subject);
}

export async function toLinkRange(
  link: NonNullable<LinkRange>,
  { website, nowMs, findBeganAtMs }: Subject,
): Promise<{ range: Range; period: Period | undefined }> {
  const zone = findZone(website.timezone) ?? requireUtc();
  if ('period' in link) {
    const beganAtMs = link.period === 'all' ? await findBeganAtMs() : nowMs;
    return { range: toPeriodRange(link.period, zone, nowMs, beganAtMs), period: link.period };
  }
  const fromMs = readBound(link.from, zone, 'from') ?? nowMs;
  const toMs = readBound(link.to, zone, 'to') ?? nowMs;
  return { range: { fromMs, toMs, zone }, period: undefined };
}

/** @throws AppError FORBIDDEN for a link whose range does not hold now */
export async function requireNow(link: LinkRange, subject: Subject): Promise<void> {
  if (!link) return;
  const { range } = await toLinkRange(link, subject);
  if (subject.nowMs < range.fromMs || subject.nowMs >= range.toMs) throw onlyItsRange();
}

function onlyItsRange(): AppError {
  return new AppError('FORBIDDEN', 'This link shows one range only, compared with the one before');
}
