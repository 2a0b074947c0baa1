import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/open.ts';

export type Io = { print(line: string): void; readLine(): Promise<string> };

/** What a command line does. Throws an Error with a sentence when it cannot. */
export type Command = (opened: { database: OpenDatabase; config: Config }, io: Io) => Promise<void>;
