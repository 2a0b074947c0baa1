import start from '../../drizzle/0000_start.sql' with { type: 'text' };
import analytics from '../../drizzle/0001_analytics.sql' with { type: 'text' };
import shorterRows from '../../drizzle/0002_shorter_rows.sql' with { type: 'text' };
import removals from '../../drizzle/0003_removals.sql' with { type: 'text' };
import loginClient from '../../drizzle/0004_login_client.sql' with { type: 'text' };
import unfinishedWebsites from '../../drizzle/0005_unfinished_websites.sql' with { type: 'text' };
import erasures from '../../drizzle/0006_erasures.sql' with { type: 'text' };
import publicHides from '../../drizzle/0007_public_hides.sql' with { type: 'text' };
import segments from '../../drizzle/0008_segments.sql' with { type: 'text' };
import serverSettings from '../../drizzle/0009_server_settings.sql' with { type: 'text' };
import goals from '../../drizzle/0010_goals.sql' with { type: 'text' };
import namesSince from '../../drizzle/0011_names_since.sql' with { type: 'text' };
import savedSegments from '../../drizzle/0012_saved_segments.sql' with { type: 'text' };
import annotations from '../../drizzle/0013_annotations.sql' with { type: 'text' };
import funnels from '../../drizzle/0014_funnels.sql' with { type: 'text' };
import userAgent from '../../drizzle/0015_user_agent.sql' with { type: 'text' };
import imports from '../../drizzle/0016_imports.sql' with { type: 'text' };
import places from '../../drizzle/0017_places.sql' with { type: 'text' };
import primaryGoal from '../../drizzle/0018_primary_goal.sql' with { type: 'text' };
import journal from '../../drizzle/meta/_journal.json';

/** The texts of drizzle/, in the order of its journal: imported, so that the executable holds them. */
const TEXTS = [
  start,
  analytics,
  shorterRows,
  removals,
  loginClient,
  unfinishedWebsites,
  erasures,
  publicHides,
  segments,
  serverSettings,
  goals,
  namesSince,
  savedSegments,
  annotations,
  funnels,
  userAgent,
  imports,
  places,
  primaryGoal,
];

export type Migration = { createdAtMs: number; statements: string[]; hash: string };

const BREAKPOINT = '--> statement-breakpoint';

/** Migrations that drizzle-kit has written, in the form of Drizzle's own migrator: the hash is SHA-256 of the text. */
export const MIGRATIONS: readonly Migration[] = journal.entries.map(({ when }, index) => {
  const text = TEXTS[index] ?? '';
  return {
    createdAtMs: when,
    statements: text.split(BREAKPOINT),
    hash: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
  };
});
