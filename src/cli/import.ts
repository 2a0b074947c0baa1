import { dirname, resolve } from 'node:path';
import { deriveKey } from '../accounts/derive-key.ts';
import { loadSecret } from '../accounts/secret.ts';
import { findInstallationId } from '../db/installation.ts';
import { createUserAgents } from '../events/user-agent.ts';
import { toDryRun } from '../imports/dry-run.ts';
import { chooseFormat } from '../imports/formats.ts';
import { ImportError } from '../imports/import-error.ts';
import { createImporter, type Importer, type ImportSource } from '../imports/importer.ts';
import { followFile } from '../imports/source/follow.ts';
import { openSource, type SourceFile } from '../imports/source/source-file.ts';
import { createImportStore, type ImportRecord, type ImportStore } from '../imports/store.ts';
import { createUploadFiles } from '../imports/upload-files.ts';
import { workOnUpload } from '../imports/upload-work.ts';
import { findImportWebsite, findOtherHosts } from '../imports/website.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ImportedEvents } from '../log/imported-events.ts';
import { STEP_ROWS } from '../log/removal-steps.ts';
import { createDiskGuard, readDiskSpace } from '../operations/disk.ts';
import { openPlaceLookup } from '../places/place-lookup.ts';
import { logError } from '../process-log.ts';
import type { DatabaseTarget } from '../settings/database.ts';
import { openEvents } from '../storage/clickhouse.ts';
import { openImportedEvents, openLog } from '../storage/open.ts';
import { createSums } from '../sums/store.ts';
import { withSums } from '../sums/with-sums.ts';
import type { DatabaseCommand } from './command.ts';
import { toDryRunLines, toImportLines, toListLines } from './import-lines.ts';
import { endWithParent, tell } from './watch.ts';

export type ImportOptions = {
  website: string;
  format?: string;
  timezone?: string;
  host?: string[];
  dryRun?: boolean;
  json?: boolean;
  follow?: boolean;
};

type Opened = Parameters<DatabaseCommand>[0];

/** Stops at the floor of free disk at which the service refuses events. */
function whileThereIsRoom(log: EventLog, target: DatabaseTarget): EventLog {
  if (target.kind !== 'file') return log;
  const folder = dirname(target.path);
  const findRefusal = createDiskGuard({
    read: () => readDiskSpace(folder),
    monotonicMs: () => performance.now(),
    onLow: () => {},
  });
  return {
    append(events) {
      if (findRefusal())
        throw new Error(`The disk of ${folder} is nearly full. Make room; the same command continues.`);
      return log.append(events);
    },
  };
}

/** Runs with an importer. A fault of a file or an option is one sentence. */
async function withImporter(
  { database, config, secrets }: Opened,
  work: (importer: Importer, parts: { store: ImportStore; imported: ImportedEvents }) => Promise<void>,
  onRows: (rows: number) => void = tell.events,
): Promise<void> {
  const server = secrets.events && (await openEvents(secrets.events, await findInstallationId(database.db)));
  const secret = loadSecret({ configured: secrets.jwtSecret, dataDir: config.dataDir });
  const sums = createSums({ db: database.db, stepRows: STEP_ROWS, rest: Bun.sleep });
  const imported = withSums(openImportedEvents(database, server), sums);
  const store = createImportStore(database.db, Date.now);
  try {
    await work(
      createImporter({
        log: whileThereIsRoom(openLog(database, server), config.database),
        imported,
        sums,
        store,
        userAgents: createUserAgents(),
        places: await openPlaceLookup({
          paths: config.geoDatabases,
          folder: config.dataDir,
          onFailure: logError,
        }),
        key: deriveKey(Buffer.from(secret), 'imported visitors'),
        now: Date.now,
        onRows,
      }),
      { store, imported },
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
        if (options.follow) return follow(importer, opened, paths, options, print);
        const source = await open(opened, paths, options);
        const print_ = (report: object, lines: string[]) =>
          options.json ? print(JSON.stringify(report)) : lines.forEach(print);
        tell.step({ name: options.dryRun ? 'reading' : 'importing', events: estimateRows(source) });
        if (options.dryRun) {
          const startedMs = performance.now();
          const preview = await importer.preview(source);
          const dryRun = toDryRun(preview, source, {
            tookMs: performance.now() - startedMs,
            others: await findOtherHosts(opened.database.db, source.website),
          });
          print_(dryRun, toDryRunLines(dryRun, source.website));
        } else {
          // Without a wait for the disk at each commit: a power cut takes rows and progress back to the same point.
          opened.database.local?.exec('PRAGMA synchronous = NORMAL');
          const { import: record, ...result } = await importer.run(source);
          print_({ id: record.id, ...result }, toImportLines({ import: record, ...result }, source));
        }
      }),
  list:
    (website: string | undefined): DatabaseCommand =>
    async ({ database: { db } }, { print }) => {
      const key = website === undefined ? undefined : (await findImportWebsite(db, website)).key;
      for (const line of toListLines(await createImportStore(db, Date.now).list(key))) print(line);
    },
  resume:
    (id: string): DatabaseCommand =>
    async (opened) => {
      endWithParent();
      const { config, database } = opened;
      const record = await findImport(opened, id);
      const path = createUploadFiles(config.dataDir).pathOf(id);
      database.local?.exec('PRAGMA synchronous = NORMAL'); // as above
      await withImporter(
        opened,
        (importer, { store, imported }) =>
          workOnUpload({ db: database.db, store, importer, imported, path, monotonicMs }, record),
        noteRows(opened, record),
      );
    },
  undo:
    (id: string): DatabaseCommand =>
    (opened, { print }) =>
      withImporter(opened, async (importer) => {
        const record = await findImport(opened, id);
        tell.step({ name: 'removing' });
        await importer.undo(record.key);
        print(`The import ${id} is undone.`);
      }),
};

async function findImport({ database }: Opened, id: string): Promise<ImportRecord> {
  const record = await createImportStore(database.db, Date.now).find(id);
  if (!record) throw new Error(`There is no import ${id}. \`pagemeter import list\` lists them.`);
  return record;
}

const monotonicMs = () => performance.now();

/** Writes how far a dry run is; an import does so itself. */
function noteRows({ database }: Opened, { key }: ImportRecord): (rows: number) => void {
  const store = createImportStore(database.db, Date.now);
  let writtenMs = 0;
  return (rows) => {
    if (monotonicMs() - writtenMs < NOTE_MS) return;
    writtenMs = monotonicMs();
    void store.change(key, ['reading'], { rows }).catch(() => {}); // busy: a second later
  };
}

const NOTE_MS = 1_000;

/** Adds the requests of a log as they are logged, until it is asked to stop. */
async function follow(
  importer: Importer,
  opened: Opened,
  [path = '', ...others]: readonly string[],
  options: ImportOptions,
  print: (line: string) => void,
): Promise<void> {
  if (others.length > 0) throw new ImportError('--follow takes one file');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const source = await toSource(opened, [await followFile(resolve(path), stopping.signal)], options);
  print(`Following ${path} for ${source.website.domain}. Ctrl-C stops.`);
  await importer.run({ ...source, isFollowed: true });
}

async function open(opened: Opened, paths: readonly string[], options: ImportOptions): Promise<ImportSource> {
  return toSource(opened, await openSource(paths), options);
}

async function toSource(
  { database: { db } }: Opened,
  files: readonly SourceFile[],
  { website, format, timezone, host }: ImportOptions,
): Promise<ImportSource> {
  const found = await findImportWebsite(db, website);
  return {
    ...chooseFormat(files, format),
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
