import type { OpenDatabase } from '../db/open.ts';
import type { Config, Secrets } from '../settings/config.ts';

export type Io = { print(line: string): void; readPassword(): Promise<string> };

/** What a command does with the database, opened as the service does. Throws an Error with a sentence when it cannot. */
export type DatabaseCommand = (
  opened: { database: OpenDatabase; config: Config; secrets: Secrets },
  io: Io,
) => Promise<void>;

/** The same for what must not open the database as the service does: that may change it. Resolves with the exit code. */
export type FileCommand = (
  readSettings: () => { config: Config; secrets: Secrets },
  io: Io,
) => Promise<0 | 1>;
