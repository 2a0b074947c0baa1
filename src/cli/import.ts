import { deriveKey } from '../accounts/derive-key.ts';
import { loadSecret } from '../accounts/secret.ts';
import { findInstallationId } from '../db/installation.ts';
import { createUserAgents } from '../events/user-agent.ts';
import { findFormat } from '../imports/formats.ts';
import { ImportError } from '../imports/import-error.ts';
import { createImporter, type ImportSource } from '../imports/importer.ts';
import { openSource } from '../imports/source/source-file.ts';
import { createImportStore } from '../imports/store.ts';
import { findImportWebsite, findOtherHosts } from '../imports/website.ts';
import { openPlaceLookup } from '../places/place-lookup.ts';
import { logError } from '../process-log.ts';
import { openEvents } from '../storage/clickhouse.ts';
import { openImportedEvents, openLog } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { toImportLines, toListLines, toPreviewLines } from './import-lines.ts';
import { tell } from './watch.ts';

export type ImportOptions = {
  website: string;
  format?: string;
  timezone?: string;
  host?: string[];
  dryRun?: boolean;
  json?: boolean;
};

type Opened = Parameters<DatabaseCommand>[0];

/** Runs with an importer. A fault of a file or an option is one sentence. */
async function withImporter(
  { database, config, secrets }: Opened,
  work: (importer: ReturnType<typeof createImporter>) => Promise<void>,
): Promise<void> {
  const server = secrets.events && (await openEvents(secrets.events, await findInstallationId(database.db)));
  const secret = loadSecret({ configured: secrets.jwtSecret, dataDir: config.dataDir });
  try {
    await work(
      createImporter({
        log: openLog(database, server),
        imported: openImportedEvents(database, server),
        store: createImportStore(database.db, Date.now),
        userAgents: createUserAgents(),
        places: await openPlaceLookup({
          paths: config.geoDatabases,
          folder: config.dataDir,
          onFailure: logError,
        }),
        key: deriveKey(Buffer.from(secret), 'imported visitors'),
        now: Date.now,
        onRows: tell.events,
      }),
    );
  } catch (error) {
    throw error instanceof ImportError ? new Error(`${error.message}. Nothing was imported.`) : error;
  } finally {
    await server?.close();
  }
}

export const IMPORT_COMMANDS = {
  run:
    (paths: readonly string[], options: ImportOptions): DatabaseCommand =>
    (opened, { print }) =>
      withImporter(opened, async (importer) => {
        const source = await open(opened, paths, options);
        const print_ = (report: object, lines: string[]) =>
          options.json ? print(JSON.stringify(report)) : lines.forEach(print);
        tell.step({ name: options.dryRun ? 'reading' : 'importing', events: estimateRows(source) });
        if (options.dryRun) {
          const startedMs = performance.now();
          const preview = await importer.preview(source);
          print_(
            preview,
            toPreviewLines(preview, source, {
              tookMs: performance.now() - startedMs,
              others: await findOtherHosts(opened.database.db, source.website),
            }),
          );
        } else {
          // Without a wait for the disk at each commit: a power cut takes rows and progress back to the same point.
          opened.database.local?.exec('PRAGMA synchronous = NORMAL');
          const { import: record, ...result } = await importer.run(source);
          print_({ id: record.id, ...result }, toImportLines({ import: record, ...result }));
        }
      }),
  list:
    (website: string | undefined): DatabaseCommand =>
    async ({ database: { db } }, { print }) => {
      const key = website === undefined ? undefined : (await findImportWebsite(db, website)).key;
      for (const line of toListLines(await createImportStore(db, Date.now).list(key))) print(line);
    },
  undo:
    (id: string): DatabaseCommand =>
    (opened, { print }) =>
      withImporter(opened, async (importer) => {
        const record = await createImportStore(opened.database.db, Date.now).find(id);
        if (!record) throw new Error(`There is no import ${id}. \`pagemeter import list\` lists them.`);
        tell.step({ name: 'removing' });
        await importer.undo(record.key);
        print(`The import ${id} is undone.`);
      }),
};

async function open(
  { database: { db } }: Opened,
  paths: readonly string[],
  { website, format, timezone, host }: ImportOptions,
): Promise<ImportSource> {
  const found = await findImportWebsite(db, website);
  const files = await openSource(paths);
  return {
    files,
    format: findFormat(files, format),
    website: found,
    timezone,
    hosts: host?.map((one) => one.toLowerCase()),
  };
}

/** Rows of a plain file, from the length of its first ones. */
function estimateRows({ files }: ImportSource): number {
  return files.reduce((sum, { head, sizeBytes }) => {
    const rows = head.split('\n').length;
    return sum + Math.ceil(sizeBytes / (Buffer.byteLength(head) / rows || 1));
  }, 0);
}
