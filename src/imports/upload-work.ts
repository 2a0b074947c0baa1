import type { Db } from '../db/open.ts';
import { toDryRun } from './dry-run.ts';
import { chooseFormat } from './formats.ts';
import { ImportError } from './import-error.ts';
import type { Importer, ImportSource } from './importer.ts';
import { openSource } from './source/source-file.ts';
import type { ImportRecord, ImportStore } from './store.ts';
import { findOtherHosts, findWebsiteOf } from './website.ts';

type Deps = {
  db: Db;
  store: ImportStore;
  importer: Pick<Importer, 'preview' | 'add'>;
  imported: { remove(importKey: number): Promise<void> };
  path: string;
  monotonicMs: () => number;
};

/**
 * Does the next step of an upload: its dry run, or its import, which continues where it was interrupted. A fault of the file
 * is noted at the import, and what it had added is removed. Any other error leaves it to be tried again.
 */
export async function workOnUpload(deps: Deps, record: ImportRecord): Promise<void> {
  const { store, imported } = deps;
  const { key, state } = record;
  try {
    if (state === 'reading') await read(deps, record);
    else if (state === 'running') await add(deps, record);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    if (state === 'running') await imported.remove(key);
    await store.change(key, [state], { state: 'failed', error: error.message });
  }
}

async function read({ db, store, importer, path, monotonicMs }: Deps, record: ImportRecord): Promise<void> {
  const startedMs = monotonicMs();
  const source = await openUpload(db, path, record);
  const preview = await importer.preview(source);
  const dryRun = toDryRun(preview, source, {
    tookMs: monotonicMs() - startedMs,
    others: await findOtherHosts(db, source.website),
  });
  await store.change(record.key, ['reading'], {
    state: 'ready',
    format: source.format.name,
    preview: dryRun,
    error: null,
  });
}

async function add({ db, store, importer, path }: Deps, record: ImportRecord): Promise<void> {
  const source = await openUpload(db, path, record);
  const { added } = await importer.add(source, record);
  await store.finish(record.key, added);
}

async function openUpload(
  db: Db,
  path: string,
  { websiteKey, source, options: { format, timezone, hosts } }: ImportRecord,
): Promise<ImportSource> {
  const website = await findWebsiteOf(db, websiteKey);
  const files = await openSource([{ path, name: source }]);
  return {
    ...chooseFormat(files, format),
    website,
    timezone,
    hosts: hosts && hosts.length > 0 ? hosts.map((host) => host.toLowerCase()) : undefined,
  };
}
