import { REJECTED_ROWS_MAX } from '../vocabulary/contract.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { REPORT_ENTRIES_MAX } from './bounds.ts';

type Seat = { file: string; line: number };
type RejectedRow = Seat & { reason: string };

/** Contents of a file: the dry run of an import, and its result. */
export type ImportReport = {
  rows: number;
  accepted: number;
  rejected: number;
  /** Number of rows skipped on purpose, by reason. */
  leftOut: { reason: string; count: number }[];
  /** The most frequent first. */
  reasons: { reason: string; count: number }[];
  /** The first ones. */
  rejectedRows: RejectedRow[];
  /** Instants of the first and the last event; undefined without any. */
  firstMs: number | undefined;
  lastMs: number | undefined;
  /** UTC days with events. */
  days: number;
  hosts: { host: string; count: number }[];
};

/** Collects the report of an import in bounded memory. */
export class Tally {
  #rows = 0;
  #accepted = 0;
  #rejected = 0;
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  readonly #days = new Set<number>();
  readonly #leftOut = new Counts();
  readonly #reasons = new Counts();
  readonly #hosts = new Counts();
  readonly #rejectedRows: RejectedRow[] = [];

  get rows(): number {
    return this.#rows;
  }

  /** @param host undefined for a sum, whose instant is the begin of its day in UTC */
  accept(atMs: number, host: string | undefined): void {
    this.#rows += 1;
    this.#accepted += 1;
    if (atMs < this.#firstMs) this.#firstMs = atMs;
    if (atMs > this.#lastMs) this.#lastMs = atMs;
    this.#days.add(Math.floor(atMs / DAY_MS));
    if (host !== undefined) this.#hosts.add(host);
  }

  reject(seat: Seat, reason: string): void {
    this.#rows += 1;
    this.#rejected += 1;
    this.#noteReason(seat, reason);
  }

  /** An accepted event that the log refused. */
  refuse(seat: Seat, reason: string): void {
    this.#accepted -= 1;
    this.#rejected += 1;
    this.#noteReason(seat, reason);
  }

  leaveOut(reason: string): void {
    this.#rows += 1;
    this.#leftOut.add(reason);
  }

  #noteReason({ file, line }: Seat, reason: string): void {
    this.#reasons.add(reason);
    if (this.#rejectedRows.length < REJECTED_ROWS_MAX) this.#rejectedRows.push({ file, line, reason });
  }

  report(): ImportReport {
    return {
      rows: this.#rows,
      accepted: this.#accepted,
      rejected: this.#rejected,
      leftOut: this.#leftOut.list('reason'),
      reasons: this.#reasons.list('reason'),
      rejectedRows: this.#rejectedRows,
      firstMs: this.#accepted > 0 ? this.#firstMs : undefined,
      lastMs: this.#accepted > 0 ? this.#lastMs : undefined,
      days: this.#days.size,
      hosts: this.#hosts.list('host'),
    };
  }
}

const OTHERS = '(other)';

/** Counts of names; those beyond the bound count as others. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const hasRoom = this.#counts.has(name) || this.#counts.size < REPORT_ENTRIES_MAX;
    const counted = hasRoom ? name : OTHERS;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
  }

  list<Name extends string>(key: Name): ({ [_ in Name]: string } & { count: number })[] {
    return [...this.#counts]
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => ({ [key]: name, count }) as { [_ in Name]: string } & { count: number }); // the one key
  }
}

/** Returns the host of an address in lower case, with its port. */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2;
  const slash = url.indexOf('/', start);
  const authority = slash === -1 ? url.slice(start) : url.slice(start, slash);
  return authority.replace(/[?#].*/, '').toLowerCase();
}
