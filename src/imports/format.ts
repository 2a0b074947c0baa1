import type { UserAgentDescription } from '../events/user-agent-description.ts';
import type { ImportFormat } from '../vocabulary/import-formats.ts';
import type { DailySum } from '../vocabulary/sums.ts';
import type { SourceFile } from './source/source-file.ts';

/** An event of a file: the fields of contract/event-input, without a tracking code. Judged like a submitted one. */
export type ImportedFields = Record<string, unknown> & {
  /** Milliseconds since the epoch. */
  timestamp?: unknown;
};

/** A record of a file. */
export type RowContent =
  | {
      event: ImportedFields;
      /** Identifies the row in another export; absent when the event has an id. */
      identity?: string;
      /** User-Agent to read browser, system and device from. */
      userAgent?: string;
      /** IP address to find the place of. It is not stored. */
      address?: string;
    }
  | { sum: DailySum }
  /** Not an event, for this reason. */
  | { reason: string }
  /** Left out on purpose, such as `bots` */
  | { leftOut: string };
/** `line` is for people, from 1; in files without lines it counts records. */
export type ImportRow = { file: string; line: number } & RowContent;

export type ReadContext = {
  /** Zone of local times; undefined when the person named none. */
  timezone: string | undefined;
  /** Address to complete paths with, such as https://example.com. */
  siteUrl: string;
  describeAgent: (userAgent: string) => UserAgentDescription;
  /** Returns an id that only this installation can derive, the same each time. */
  pseudonym: (text: string) => string;
};

/** Reader of the files of one product: one file under formats/, a row in formats.ts, and its name. */
export type Format = {
  name: ImportFormat;
  /** Whether a file looks like one of this format, by its name and beginning. */
  matches(file: SourceFile): boolean;
  /** Names of the columns with which a file begins; absent for formats without such names. */
  readNames?(file: SourceFile): string[];
  /** Names of columns in the file, and the field that each becomes; the others are not imported. */
  columns: Readonly<Record<string, string>>;
  /**
   * Reads rows in groups, in the same order each time.
   *
   * @throws ImportError for a file that cannot be read to its end
   */
  read(files: readonly SourceFile[], context: ReadContext): AsyncIterable<ImportRow[]>;
};
