import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { MIGRATIONS } from '../../src/db/migrations.ts';

test('the migrations are those of drizzle/, as Drizzle reads them', () => {
  const read = readMigrationFiles({ migrationsFolder: join(import.meta.dir, '../../drizzle') });
  expect(MIGRATIONS).toEqual(
    read.map(({ sql, folderMillis, hash }) => ({ createdAtMs: folderMillis, statements: sql, hash })),
  );
});
