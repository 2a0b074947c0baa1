import type { ShareLinkUpdate } from '../contract/share-link.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../vocabulary/contract.ts';
import { validationError } from '../vocabulary/errors.ts';

/** Reads the fields of a link whose form a schema cannot judge. Absent fields stay absent. @throws VALIDATION_ERROR */
export function readLinkInput({ range, origins, expiresAt, password }: ShareLinkUpdate, nowMs: number) {
  if (typeof password === 'string') requireLength(password);
  return {
    ...(range !== undefined && { range: readRange(range) }),
    ...(origins && { origins: origins.map(readOrigin) }),
    ...(expiresAt !== undefined && { expiresAtMs: readExpiry(expiresAt, nowMs) }),
  };
}

function requireLength({ length }: string): void {
  if (length < PASSWORD_LENGTH_MIN)
    throw fault('password', `Must be at least ${PASSWORD_LENGTH_MIN} characters`);
  if (length > PASSWORD_LENGTH_MAX)
    throw fault('password', `Must be at most ${PASSWORD_LENGTH_MAX} characters`);
}

function readRange(range: NonNullable<ShareLinkUpdate['range']> | null) {
  if (range === null || 'period' in range) return range && { period: range.period };
  const { from, to } = range;
  for (const [name, text] of [
    ['from', from],
    ['to', to],
  ])
    if (!isDate(text ?? '')) throw fault('range', `${name} must be a date that exists`);
  if (from > to) throw fault('range', 'to must not be before from');
  return { from, to };
}

function isDate(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

/** An origin exactly: a browser compares it with that of the embedding page. */
function readOrigin(text: string): string {
  const url = URL.parse(text.trim());
  const isOrigin = url && /^https?:$/.test(url.protocol) && !url.hostname.includes('*');
  if (isOrigin && (text.trim() === url.origin || text.trim() === `${url.origin}/`)) return url.origin;
  throw fault('origins', 'Must be origins such as https://client.example, without a path or wildcard');
}

function readExpiry(expiresAt: string | null, nowMs: number): number | null {
  if (expiresAt === null) return null;
  const atMs = Date.parse(expiresAt);
  if (Number.isNaN(atMs)) throw fault('expiresAt', 'Must be a date that exists');
  if (atMs <= nowMs) throw fault('expiresAt', 'Must be in the future');
  return atMs;
}

function fault(field: string, sentence: string) {
  return validationError('Invalid request data', { [field]: [sentence] });
}
