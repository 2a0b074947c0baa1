import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../package.json';
import { loadSecret } from './accounts/secret.ts';
import { newSetupCode } from './accounts/setup-code.ts';
import { type App, createApp } from './app.ts';
import { copyBeforeMigration } from './backup/before-migration.ts';
import type { LastBackup } from './backup/last-backup.ts';
import { createBackupSchedule } from './backup/schedule.ts';
import { findInstallationId } from './db/installation.ts';
import { lockInstance } from './db/instance-lock.ts';
import { openDatabase } from './db/open.ts';
import { createExportSchedule } from './exports/schedule.ts';
import { internalErrorResponse } from './http/error-handler.ts';
import { hasEventsOfBefore } from './log/store.ts';
import { createLineWriter } from './operations/line-writer.ts';
import { createRequestLog } from './operations/request-log.ts';
import { openPlaceLookup, type PlaceLookup } from './places/place-lookup.ts';
import { runCommandProcess } from './process/command-process.ts';
import { prepareDirectory } from './process/data-directory.ts';
import { findListener, nameProcess } from './process/holder.ts';
import { watchNpm } from './process/launcher.ts';
import { isTerminal, logError, logLine, logStartFailure, STDOUT } from './process-log.ts';
import { CONFIG_EXIT_CODE, type Config, ConfigError, parseConfig } from './settings/config.ts';
import { findUnknownSettings } from './settings/unknown.ts';
import { isReachedByOthers, startWarnings } from './start-warnings.ts';
import { openEvents } from './storage/clickhouse.ts';
import { ownPath } from './storage/open.ts';
import { startTimers } from './timers.ts';

/** Environment → settings → database → app → listen. What is created here is closed in reverse by `stop`. */

/** How long requests on their way may take to be answered once the program was asked to stop. */
const REQUESTS_DEADLINE_MS = 4_000;
/** How long health says 503 before new connections are refused, for those who send requests by it. */
const NOT_READY_MS = 250;
/** Deadline for a stop, below the ten seconds that Docker grants. */
const STOP_DEADLINE_MS = 9_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** Runs until it is asked to stop; a start that fails ends the process. */
export async function serve(): Promise<void> {
  process.title = 'pagemeter';
  try {
    await start();
  } catch (error) {
    logStartFailure(error instanceof Error ? error.message : String(error));
    process.exit(error instanceof ConfigError ? CONFIG_EXIT_CODE : 1);
  }
}

async function start(): Promise<void> {
  const { config, secrets } = parseConfig(process.env, process.cwd());
  const { database: target } = config;
  prepareDirectory(config.dataDir);
  if (target.kind === 'file') prepareDirectory(dirname(target.path));

  const places = await openPlaces(config);

  // The statistics of a remote database are this process's own: another one needs another DATA_DIR.
  const unlock = target.kind === 'memory' ? () => {} : lockInstance(ownPath(target, config.dataDir));
  const { now } = Date;
  const database = await openDatabase(target, config.durability, {
    mustHoldData: whyNotNew(config.dataDir),
    beforeMigrating: copyBeforeMigration(config, now),
  });
  const installationId = await findInstallationId(database.db);
  const eventsServer = secrets.events && (await openEvents(secrets.events, installationId));
  const jwtSecret = loadSecret({
    configured: secrets.jwtSecret,
    dataDir: target.kind === 'memory' ? undefined : config.dataDir,
  });
  const backups = createBackupSchedule({
    everyMs: target.kind === 'file' ? config.backup.everyMs : 0, // a server has its own backups
    dataDir: config.dataDir,
    now,
    run: (signal) => runCommandProcess(['backup', '--quiet'], process.env, signal),
    onFinished: logBackup,
  });
  const daily = ['export', '--daily', config.daily.to, '--format', config.daily.format, '--quiet'];
  const exports = createExportSchedule({
    isOn: config.daily.to !== '' && target.kind !== 'memory',
    now,
    run: (signal) => runCommandProcess(daily, process.env, signal),
    onFinished: logExport,
  });
  // Files of an earlier database in DATA_DIR say nothing about the one on the server.
  const lastBackup = target.kind === 'remote' ? undefined : backups.last;
  if (target.kind === 'remote' && config.backup.everyMs > 0) sayWhoseBackups();
  const requestLog =
    config.accessLog === 'on' ? createRequestLog(createLineWriter({ fd: STDOUT }), now) : undefined;
  const { metricsToken } = secrets;
  const setupCode = newSetupCode();
  const service = createApp({
    config,
    jwtSecret,
    setupCode,
    metricsToken,
    database,
    eventsServer,
    places,
    now,
    onError: logError,
    onWarning: (message) => logLine({ level: 'warn', message }),
    requestLog,
    lastBackup,
    workOnImport:
      target.kind === 'memory'
        ? undefined
        : (id, signal) => runCommandProcess(['import', 'resume', id], process.env, signal),
  });
  if (!service.storage.isInDatabase) sayWhereEventsAre(await hasEventsOfBefore(database.db));
  await service.websites.removeUnfinished().catch(logError); // before a new one can begin
  await listen(service.app, config);
  const { needsCode, registration } = await service.accounts.registration.setup(false);
  for (const message of [...findUnknownSettings(process.env), ...startWarnings(config, registration)])
    logLine({ level: 'warn', message });
  const stopTimers = startTimers({ ...service, backups, exports }, database);

  // A bug in the background must not take everybody's service away; what is stored is guarded by transactions.
  process.on('unhandledRejection', logError);
  process.on('uncaughtException', logError);

  let isStopping = false;
  async function stop(signal: string): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    logLine({ level: 'info', message: `stopping on ${signal}` });
    // Also keeps the process alive while the threads, which do not, finish their work.
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    service.condition.isStopping = true;
    await Bun.sleep(NOT_READY_MS);
    stopTimers();
    service.streams.close(); // the server stops only when every answer is finished
    await stopListening(service.app);
    await service.close();
    await backups.close();
    await exports.close();
    await eventsServer?.close();
    database.close();
    unlock();
    await requestLog?.close();
    process.exit(0);
  }
  for (const signal of SIGNALS) process.on(signal, () => void stop(signal));
  watchNpm(() => void stop('the end of npm'));
  const use = isReachedByOthers(config) ? 'the first page asks for it' : 'asked for through a proxy only';
  announce(toAddress(config, service.app.server?.port), needsCode ? { setupCode, use } : undefined); // its reader may ask to stop at once
}

async function openPlaces({ geoDatabases: paths, dataDir: folder }: Config): Promise<PlaceLookup> {
  try {
    return await openPlaceLookup({ paths, folder, onFailure: logError });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

/** The secret is made after the database. One without the other is what a volume that is not mounted looks like. */
function whyNotNew(dataDir: string): string | undefined {
  const secret = join(dataDir, 'secret');
  if (!existsSync(secret)) return undefined;
  return `but ${secret} says that there was a database. Put it back (is its volume mounted?), or remove ${secret} to start from scratch`;
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    app.listen({
      port,
      hostname: host,
      reusePort: false, // two processes on one port would answer in turns, without an error
      development: false,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the bound is ours, so that its refusal has our body
      error: internalErrorResponse,
    });
  } catch (error) {
    throw await explainListen(error, { host, port });
  }
}

async function explainListen(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): Promise<Error> {
  const { code = '', message } = error as Error & { code?: string }; // of Bun.serve
  // For a name without an address the code is that of some earlier call.
  const isAddress = await Bun.dns.lookup(host).then(
    () => true,
    () => false,
  );
  if (!isAddress || ['EADDRNOTAVAIL', 'EINVAL'].includes(code))
    return new Error(
      `HOST ${host} is not an address of this machine. Set HOST to one that it has, or to 0.0.0.0 for all of them.`,
    );
  if (code === 'EADDRINUSE') return new Error(explainTaken(host, port));
  if (code === 'EACCES')
    return new ConfigError([
      `PORT ${port} needs privileges that this user does not have, as all below 1024. Set PORT to a higher one, and let a proxy pass on what comes to ${port}.`,
    ]);
  return new Error(message, { cause: error });
}

function explainTaken(host: string, port: number): string {
  const taken = `PORT ${port} on HOST ${host} is taken by another program`;
  const pid = findListener(port);
  return pid === undefined
    ? `${taken}. Set PORT to a free one.`
    : `${taken}: ${nameProcess(pid)}. Stop it (kill ${pid}), or set PORT to a free one.`;
}

/** Answers what is on its way, then cuts who is still sending: of theirs nothing was acknowledged. */
async function stopListening({ server }: App): Promise<void> {
  const deadline = setTimeout(() => void server?.stop(true), REQUESTS_DEADLINE_MS);
  await server?.stop();
  clearTimeout(deadline);
}

function sayWhoseBackups(): void {
  logLine({
    level: 'info',
    message:
      'no backups are made: the database is on a server, whose own backups are to be used. BACKUP_EVERY_HOURS=0 leaves this line out',
  });
}

function sayWhereEventsAre(hasOthers: boolean): void {
  logLine({
    level: 'info',
    message:
      'the events are on the server of EVENTS_URL: a backup of the database holds accounts and websites only',
  });
  if (hasOthers)
    logLine({
      level: 'warn',
      message:
        'the database holds events of before EVENTS_URL was set: they are neither counted nor listed until `pagemeter move --to` copies them',
    });
}

function logExport(error: unknown): void {
  if (error === undefined) logLine({ level: 'info', message: 'the daily export is complete' });
  else
    logLine({
      level: 'error',
      message: 'the daily export failed, and is tried again in an hour',
      error: error instanceof Error ? error.message : String(error),
    });
}

function logBackup({ ok, error }: LastBackup): void {
  if (ok) logLine({ level: 'info', message: 'a backup was made' });
  else logLine({ level: 'error', message: 'the backup failed, and is tried again in an hour', error });
}

/** Returns the public address, or one that works in a browser on this machine. */
function toAddress({ publicUrl, host, port, basePath }: Config, portOfSystem = port): string {
  return publicUrl ?? `http://${nameOf(host)}:${portOfSystem}${basePath}`;
}

function announce(url: string, setup: { setupCode: string; use: string } | undefined): void {
  const { pid } = process;
  const message = `Pagemeter ${version} is ready at ${url} as process ${pid}`;
  if (!isTerminal(STDOUT)) {
    logLine({ level: 'info', message, url, setupCode: setup?.setupCode, pid });
    return;
  }
  console.log(`${message}

  First steps   ${url}/          create an account, add a website, copy its script tag${setup ? `\n  Set-up code   ${setup.setupCode}   ${setup.use}` : ''}
  API           ${url}/docs
  Stop          Ctrl-C, or kill ${pid}`);
}

/** Returns the host for an address that works on this machine. */
function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
