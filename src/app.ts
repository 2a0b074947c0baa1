import { dirname, join } from 'node:path';
import { type AnyElysia, Elysia } from 'elysia';
import { createAccess } from './access/access.ts';
import { requireRights } from './access/operations.ts';
import { deriveKey } from './accounts/derive-key.ts';
import { accountRoutes } from './accounts/routes.ts';
import { createAccounts } from './accounts/service.ts';
import { assetRoutes, type Bundler } from './assets/routes.ts';
import { checkRoutes } from './checks/routes.ts';
import { createChecks } from './checks/service.ts';
import { isDatabaseRefusal } from './db/busy.ts';
import type { OpenDatabase } from './db/open.ts';
import { createLivingDemos } from './demo/living.ts';
import { demoRoutes } from './demo/routes.ts';
import { createDemo } from './demo/website.ts';
import { compatibleRoutes } from './events/compatible/routes.ts';
import { createCursors } from './events/cursor.ts';
import { createDailyVisitors } from './events/daily-visitors.ts';
import { createIngest } from './events/ingest.ts';
import { pixelRoute } from './events/pixel.ts';
import { createRecentIssues } from './events/recent-issues.ts';
import { eventRoutes, otherSubmitRoutes } from './events/routes.ts';
import { openSaltFile } from './events/salt-file.ts';
import { openSaltRows } from './events/salt-rows.ts';
import { createSenderReader } from './events/sender.ts';
import { createUserAgents } from './events/user-agent.ts';
import { createVisitorSalts } from './events/visitor-salts.ts';
import { createWriter } from './events/writer.ts';
import { createAnswerBudget } from './http/answer-budget.ts';
import { withoutBasePath } from './http/base-path.ts';
import { beforeRoutes } from './http/before-routes.ts';
import { createBodies } from './http/bodies.ts';
import { errorHandler } from './http/error-handler.ts';
import { healthRoutes } from './http/health.ts';
import { toCollectionPaths, toOpenPaths } from './http/path.ts';
import { toRawRoutes } from './http/raw-target.ts';
import { importRoutes } from './imports/routes.ts';
import { createImportStore } from './imports/store.ts';
import { createUploadFiles } from './imports/upload-files.ts';
import { createUploads } from './imports/uploads.ts';
import { createAdmission } from './limits/admission.ts';
import { createLimits } from './limits/limits.ts';
import type { EventsServer } from './log/clickhouse/server.ts';
import type { EventLog } from './log/event-log.ts';
import { STEP_ROWS } from './log/removal-steps.ts';
import { memberRoutes } from './members/routes.ts';
import { createMembers } from './members/service.ts';
import { createLiveStreams } from './metrics/live/streams.ts';
import { plausibleRoutes } from './metrics/plausible/routes.ts';
import { createSharedAnswers } from './metrics/question/shared-answers.ts';
import { createQuestionTurns } from './metrics/question/turns.ts';
import { createRecords, recordRoutes } from './metrics/records.ts';
import { badgeRoutes, unlockRoutes } from './metrics/reports/share.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { type Condition, watchFile } from './operations/condition.ts';
import { countCommit, createCounters } from './operations/counters.ts';
import { createDiskGuard, type ReadDiskSpace, readDiskSpace } from './operations/disk.ts';
import { whileFileIsThere } from './operations/file-guard.ts';
import type { LastBackup } from './operations/health.ts';
import { createObserver } from './operations/observer.ts';
import type { RequestLog } from './operations/request-log.ts';
import { operationRoutes } from './operations/routes.ts';
import { createOperations } from './operations/service.ts';
import { createPlaceLookup, type PlaceLookup } from './places/place-lookup.ts';
import { createListTurns } from './process/list-turns.ts';
import type { Config } from './settings/config.ts';
import { isReachedByOthers, UNKNOWN_PROXY } from './start-warnings.ts';
import { openStorage } from './storage/open.ts';
import { createSums } from './sums/store.ts';
import { VISIT_GAP_MS } from './vocabulary/analytics.ts';
import { COMPATIBLE_PATHS } from './vocabulary/compatible.ts';
import { API_PREFIX, STREAMS_MAX } from './vocabulary/contract.ts';
import { createCleaner } from './websites/cleaner.ts';
import { pauseInBackground } from './websites/pause.ts';
import { websiteRoutes } from './websites/routes.ts';
import { createWebsites } from './websites/service.ts';

export type AppDeps = {
  config: Config;
  /** Signs the tokens. */
  jwtSecret: string;
  /** Code that the caller who sets the server up must send, unless the request is direct. */
  setupCode?: string | undefined;
  database: OpenDatabase;
  /** Keeps the events in place of the database. */
  eventsServer?: EventsServer | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic clock; by default that of the process. */
  monotonicMs?: () => number;
  /** Called with our own bugs, and with refusals of the database. */
  onError: (error: unknown) => void;
  /** Called with sentences for the administrator about probable mistakes. */
  onWarning?: ((message: string) => void) | undefined;
  /** Finds the places of addresses; by default the countries of the packaged file. */
  places?: PlaceLookup;
  /** Replaces the log in the database: the bench measures the service without its storage. */
  log?: EventLog;
  /** Replaces the system call for the free space of the database's disk. */
  readDisk?: ReadDiskSpace;
  /** Opens /metrics; undefined: for this machine only. */
  metricsToken?: string | undefined;
  /** How the last backup ended; undefined where none are made. */
  lastBackup?: (() => LastBackup) | undefined;
  /** Log of requests; undefined: none. */
  requestLog?: RequestLog | undefined;
  /** Does the next step of an uploaded import; undefined: none can be uploaded. */
  workOnImport?: ((id: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Replaces the default bundler: the services of the tests share one bundle. */
  bundler?: Bundler;
};

/** The whole service, wired and mounted in the order in which a request meets it. */
export function createApp(deps: AppDeps) {
  const { config, jwtSecret, database, eventsServer, now, onError, onWarning, log, requestLog, lastBackup } =
    deps;
  const warn = (message: string) => onWarning?.(message);
  const monotonicMs = deps.monotonicMs ?? (() => performance.now());
  const { db, syncLog } = database;
  const { database: target } = config;
  const condition: Condition = { isStopping: false, isFileGone: false };
  const counters = createCounters();
  const compatible = config.compatible.map((product) => COMPATIBLE_PATHS[product]);
  const openPaths = toOpenPaths({ ...config.paths, compatible });
  const collectionPaths = toCollectionPaths(openPaths);
  const path = target.kind === 'file' ? target.path : undefined;
  const stopWatching = path === undefined ? () => {} : watchFile(path, condition, onError);
  const storage = openStorage({ config, database, eventsServer, now, onError });
  const { analytics, reads } = storage;

  const limits = createLimits({
    settings: config.limits,
    monotonicMs,
    onRefused(limit) {
      counters.limitsHit[limit] += 1;
    },
    onFailure() {
      counters.loginFailures += 1;
    },
  });

  const cleaner = createCleaner({
    db,
    eventRemover: storage.remover,
    imported: storage.imported,
    now,
    onRemoved: analytics.wake,
    onError,
  });
  const onDeleted = () => void cleaner.wake().then(uploads.removeLeftOvers).catch(onError);
  const websites = createWebsites({ db, now, monotonicMs, onDeleted, syncLog });
  const linkKey = deriveKey(new TextEncoder().encode(jwtSecret), 'share links');
  const records = createRecords({ db, now, linkKey });
  const userAgents = createUserAgents();
  const members = createMembers({ db, now });
  const accounts = createAccounts({
    db,
    now,
    admitInvited: members.admit,
    jwtSecret,
    registration: config.registration,
    commonPasswords: config.commonPasswords,
    setupCode: deps.setupCode,
    isCodeForAll: isReachedByOthers(config),
    describeClient: userAgents.describeClient,
    deleteWebsitesOf: (userId) => websites.removeAllOf(userId),
    syncLog,
  });
  const readDisk = deps.readDisk ?? (() => (path === undefined ? undefined : readDiskSpace(dirname(path))));
  const findRefusal = createDiskGuard({ read: readDisk, monotonicMs, onLow: warn });
  const writer = createWriter(log ?? whileFileIsThere(storage.log, condition), {
    queueMax: config.ingestQueueMax,
    groupLimits: storage.groupLimits,
    monotonicMs,
    onError,
    findRefusal,
    onStored: analytics.wake,
    onCommit: (durationMs, outcomes) => countCommit(counters, durationMs, outcomes),
    onRefused: (events) => {
      counters.events.unavailable += events;
    },
  });
  const imports = createImportStore(db, now);
  const uploads = createUploads({
    store: imports,
    files: createUploadFiles(config.dataDir),
    work: deps.workOnImport,
    findRefusal,
    now,
    pause: pauseInBackground,
    onError,
  });
  const recentIssues = createRecentIssues(now);
  const salts =
    target.kind === 'remote'
      ? openSaltRows(db, jwtSecret)
      : openSaltFile(path === undefined ? undefined : join(config.dataDir, 'salts'), onError);
  const dailyVisitors = createDailyVisitors(createVisitorSalts(salts, VISIT_GAP_MS));
  const ingest = createIngest({
    websites,
    writer,
    recentIssues,
    now,
    maxEventAgeDays: config.maxEventAgeDays,
    limits,
    dailyVisitors,
    onRefused(count) {
      counters.events.refused += count;
    },
  });
  const checks = createChecks({ log: reads, recentIssues, now, paths: openPaths });
  const { trustedProxies } = config;
  const demo = createDemo({
    websites,
    goals: records.goals,
    annotations: records.annotations,
    write: (events) => writer.write(events),
    now,
    monotonicMs,
  });
  const livingDemos = createLivingDemos({ websites, write: (events) => writer.write(events), now });
  const streams = createLiveStreams({ streamsMax: STREAMS_MAX, onError });

  const places = deps.places ?? createPlaceLookup({ onFailure: onError });
  const toSender = createSenderReader(places, userAgents);

  const operations = createOperations({
    database,
    path,
    storage,
    condition,
    counters,
    queue: {
      size: writer.queueSize,
      waitedMs: writer.waitedMs,
      max: config.ingestQueueMax,
      refusedAtMs: writer.refusedAtMs,
    },
    readDisk,
    lastBackup,
    monotonicMs,
    now,
    countStreams: streams.count,
    countDroppedLines: () => requestLog?.dropped() ?? 0,
    onWarning: warn,
  });

  const bodies = createBodies(monotonicMs);
  const answerBudget = createAnswerBudget();
  const access = createAccess({
    db,
    accounts,
    findWebsite: websites.find,
    findWebsiteByKey: websites.findByKey,
    links: records.links,
    routes: () => app.routes,
  });
  const events = {
    accounts,
    access,
    websites,
    bodies,
    ingest,
    log: reads,
    toSender,
    cursors: createCursors(jwtSecret),
    answerBudget,
  };
  const kept = { access, bodies, lists: createListTurns(), answerBudget };
  const turns = createQuestionTurns(analytics, answerBudget);
  const shared = createSharedAnswers(monotonicMs);
  const metrics = {
    db,
    accounts,
    access,
    websites,
    bodies,
    ...records,
    turns,
    shared,
    streams,
    answerBudget,
    log: reads,
    sums: createSums({ db, stepRows: STEP_ROWS, rest: Bun.sleep }),
    now,
  };

  const routes = () => app.routes;
  const describedApp = (): AnyElysia => app;
  const assets = assetRoutes({
    config,
    paths: openPaths,
    now,
    findFrames: records.links.originsOf,
    app: describedApp,
    onFailure: onError,
    bundler: deps.bundler,
  });
  const app = new Elysia({
    normalize: false, // unknown fields are ignored, and a response that holds one is our bug
    handler: { standardHostname: false }, // a short Host header must not shift where the path begins
    serve: { routes: toRawRoutes((request) => describedApp().fetch(request)) },
  })
    .wrap(createObserver({ counters, log: requestLog, routes, collectionPaths, monotonicMs }))
    .wrap(withoutBasePath(config.basePath))
    .use(
      errorHandler({ routes, isDatabaseRefusal, onInternalError: onError, showUnknown: assets.showUnknown }),
    )
    .use(
      beforeRoutes({
        corsOrigins: config.corsOrigins,
        routes,
        admit: createAdmission(limits, condition, collectionPaths),
        openPaths,
        peerOf: (request) => describedApp().server?.requestIP(request)?.address,
        trustedProxies,
        clientIpHeader: config.clientIpHeader,
        onUnknownProxy: (sign) => warn(UNKNOWN_PROXY[sign]),
      }),
    )
    .use(healthRoutes(now))
    .use(operationRoutes({ ...operations, metricsToken: deps.metricsToken, trustedProxies }))
    .use(assets.routes)
    .group(API_PREFIX, (api) =>
      api
        .use(accountRoutes({ accounts, bodies, limits }))
        .use(memberRoutes({ access, accounts, bodies, members }))
        .use(websiteRoutes({ ...kept, accounts, websites }))
        .use(recordRoutes(kept, records))
        .use(checkRoutes({ access, bodies, checks, loopback: toLoopbackRule(config) }))
        .use(demoRoutes({ accounts, demo }))
        .use(eventRoutes(events))
        .use(importRoutes({ ...kept, imports, uploads, onUndo: () => void cleaner.wake() }))
        .use(unlockRoutes({ ...metrics, toAttempt: limits.passwords }))
        .use(metricsRoutes(metrics)),
    )
    .use(otherSubmitRoutes(events, config.paths.collect))
    .use(compatibleRoutes(events, config.compatible))
    .use(pixelRoute(events))
    .use(badgeRoutes({ ...metrics, monotonicMs }))
    .use(plausibleRoutes(metrics));
  requireRights(app.routes);

  /** Finishes what was accepted. The server must have stopped taking requests. */
  async function close(): Promise<void> {
    await writer.close();
    await uploads.close();
    await cleaner.close();
    await storage.close();
    dailyVisitors.close();
    operations.close();
    stopWatching();
  }
  return {
    app,
    condition,
    accounts,
    members,
    websites,
    analytics,
    storage,
    statistics: operations.statistics,
    cleaner,
    livingDemos,
    dailyVisitors,
    writer,
    streams,
    uploads,
    close,
  };
}

function toLoopbackRule(config: Config): 'never' | 'direct' | 'always' {
  if (config.checkLoopback === 'on') return 'always';
  return config.checkLoopback === 'direct' && !isReachedByOthers(config) ? 'direct' : 'never';
}

export type App = ReturnType<typeof createApp>['app'];
