import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyElysia } from 'elysia';
import { createApp } from '../src/app.ts';
import { openDatabase } from '../src/db/open.ts';
import { parseConfig } from '../src/settings/config.ts';

/** The application on an empty database in memory, for the description of its routes. */
export async function createDescribedApp(): Promise<{ app: AnyElysia; close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pagemeter-described-'));
  const { config } = parseConfig({ DATABASE_URL: ':memory:', DATA_DIR: dataDir }, '/');
  const database = await openDatabase(config.database, config.durability);
  const service = createApp({
    config,
    jwtSecret: 'x'.repeat(32),
    database,
    now: Date.now,
    onError: console.error,
  });
  await service.app.modules;
  return {
    app: service.app,
    async close() {
      await service.close();
      database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
