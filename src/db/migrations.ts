import { readMigrations } from './read-migrations.ts' with { type: 'macro' };

export type Migration = { createdAtMs: number; statements: string[]; hash: string };

const BREAKPOINT = '--> statement-breakpoint';

/** Migrations that drizzle-kit has written, in the form of Drizzle's own migrator: the hash is SHA-256 of the text. */
export const MIGRATIONS: readonly Migration[] = readMigrations().map(({ text, createdAtMs }) => ({
  createdAtMs,
  statements: text.split(BREAKPOINT),
  hash: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
}));
