import type { OpenDatabase } from '../db/open.ts';
import type { Config, Secrets } from '../settings/config.ts';

export type Io = { print(line: string): void; readPassword(): Promise<string> };

/** Command that opens the database as the service does. Throws an Error with a sentence on failure. */
export type DatabaseCommand = (
  opened: { database: OpenDatabase; config: Config; secrets: Secrets },
  io: Io,
) => Promise<void>;

/** Command that must not open the database as the service does, because that may change it. Resolves with the exit code. */
export type FileCommand = (
  readSettings: () => { config: Config; secrets: Secrets },
  io: Io,
) => Promise<0 | 1>;
