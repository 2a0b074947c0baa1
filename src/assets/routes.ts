import { join } from 'node:path';
import { type AnyElysia, Elysia } from 'elysia';
import { type OpenPaths, toCollectPath } from '../http/path.ts';
import type { Config } from '../settings/config.ts';
import { AppError } from '../vocabulary/errors.ts';
import { buildBrowserFiles } from './browser-files.ts';
import { toDashboardPage } from './dashboard/page.ts';
import { findDocuments } from './docs/documents.ts';
import { toDocumentPath, toGuidePage } from './docs/guide-page.ts';
import { toDocsPage } from './docs/page.ts';
import { type EncodedAsset, encodeAsset, respondWithAsset } from './encoded.ts';
import { FAVICON } from './favicon.ts';
import { describeRoutes } from './openapi/document.ts';
import { PAGE_HEADERS, toFramedHeaders } from './page.ts';
import { securityText } from './security-text.ts';
import { staticFiles } from './static-files.ts';
import { buildTrackerScript } from './tracker-script.ts';

/** Functions that build the tracker and the pages from source. */
export type Bundler = { tracker: typeof buildTrackerScript; files: typeof buildBrowserFiles };

type Options = {
  config: Pick<Config, 'dataDir' | 'respectDnt' | 'basePath' | 'publicUrl' | 'securityContact'>;
  /** Path of the tracker, and the path that it sends to. */
  paths: OpenPaths;
  now: () => number;
  /** Finds the origins that may embed the page of a share link. */
  findFrames: (token: string) => Promise<readonly string[]>;
  /** Returns the application whose routes are described. */
  app: () => AnyElysia;
  /** Called when the pages cannot be built; the rest of the service works without them. */
  onFailure: (error: unknown) => void;
  bundler?: Bundler | undefined;
};

const BUNDLER: Bundler = { tracker: buildTrackerScript, files: buildBrowserFiles };

const NOSNIFF = { 'x-content-type-options': 'nosniff' };
const TRACKER_HEADERS = {
  ...NOSNIFF,
  // The name carries no hash: cached briefly, then revalidated by ETag without a body.
  'cache-control': 'public, max-age=600, must-revalidate',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};
const DOCUMENT_HEADERS = { ...NOSNIFF, 'cache-control': 'no-cache' };
const SMALL_FILE_HEADERS = { ...NOSNIFF, 'cache-control': 'public, max-age=86400' };

/** Paths of the dashboard, whose script renders by the rest of the path. */
const DASHBOARD_PATHS = ['/', '/account', '/account/audit-log', '/join', '/websites/*', '/public/*'];

/** Pages of a share link. */
const SHARE_PATHS = ['/share/:token', '/share/:token/realtime'];

/** Keeps crawlers away: no page is worth indexing, and a crawler that runs the tracker would count itself. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** Delay of bundling: the bundler uses every core, and would delay the first response after a start by a third. */
const BUNDLE_AFTER_MS = 250;

/**
 * Serves the tracker and the pages. Bundling begins after the start without delaying it; the API documents are built on
 * request.
 */
export function assetRoutes(options: Options) {
  const { config, paths, now, findFrames, app, onFailure, bundler = BUNDLER } = options;
  const { basePath, publicUrl, securityContact } = config;
  const folder = join(config.dataDir, 'assets'); // holds nothing else
  const respectDnt = config.respectDnt === 'on';
  const isUp = Bun.sleep(BUNDLE_AFTER_MS);
  const trackers = paths.scripts.map((path) => {
    const asset = isUp.then(() => bundler.tracker({ respectDnt, collectPath: toCollectPath(path, paths) }));
    asset.catch(onFailure); // requests for it see the rejection too, as with the pages
    return { path, asset };
  });
  const files = isUp.then(() => bundler.files(folder));
  const served = files
    .then(() => staticFiles(folder))
    .catch((error) => {
      onFailure(error);
      throw new AppError('INTERNAL_ERROR', 'The pages could not be built; the log of the server says why');
    });
  const dashboard = once(async () => {
    await served; // a page is not there before what it loads
    return toDashboardPage(await files, { paths, basePath, publicUrl });
  });
  const openApi = once(() => describeRoutes(app(), publicUrl ?? `${basePath}/`));
  const openApiAsset = once(async () =>
    encodeAsset('application/json; charset=utf-8', JSON.stringify(await openApi()), 9),
  );
  const docs = once(async () => {
    await served;
    return toDocsPage(await openApi(), await files, basePath);
  });
  const documents = once(findDocuments);
  const guides = new Map<string, EncodedAsset>();
  async function openGuide(name: string): Promise<EncodedAsset> {
    await served;
    const guide =
      guides.get(name) ?? toGuidePage(toDocumentPath(name), await documents(), await files, basePath);
    if (!guide) throw new AppError('NOT_FOUND', 'Page not found; /docs/guide lists all pages');
    guides.set(name, guide);
    return guide;
  }
  const favicon = once(async () => encodeAsset('image/svg+xml', FAVICON));
  const robots = once(async () => encodeAsset('text/plain; charset=utf-8', ROBOTS));

  const hidden = { detail: { hide: true } };
  const pages = new Elysia();
  for (const path of DASHBOARD_PATHS)
    pages.get(
      path,
      async ({ request }) => respondWithAsset(request, await dashboard(), PAGE_HEADERS),
      hidden,
    );
  for (const path of SHARE_PATHS)
    pages.get(
      path,
      async ({ request, params }) => {
        const { token = '' } = params as { token?: string }; // of the path
        return respondWithAsset(request, await dashboard(), toFramedHeaders(await findFrames(token)));
      },
      hidden,
    );
  for (const { path, asset } of trackers)
    pages.get(path, async ({ request }) => respondWithAsset(request, await asset, TRACKER_HEADERS), hidden);
  /** Answers an unknown address. */
  const showUnknown = async (request: Request) => {
    const shown = respondWithAsset(request, await dashboard(), PAGE_HEADERS);
    return shown.status === 200 ? new Response(shown.body, { status: 404, headers: shown.headers }) : shown;
  };
  const routes = new Elysia()
    .use(pages)
    .get('/docs', async ({ request }) => respondWithAsset(request, await docs(), PAGE_HEADERS), hidden)
    .get(
      '/docs/:name',
      async ({ request, params }) => respondWithAsset(request, await openGuide(params.name), PAGE_HEADERS),
      hidden,
    )
    .get(
      '/docs/commands/:name',
      async ({ request, params }) =>
        respondWithAsset(request, await openGuide(`commands/${params.name}`), PAGE_HEADERS),
      hidden,
    )
    .get(
      '/openapi.json',
      async ({ request }) => respondWithAsset(request, await openApiAsset(), DOCUMENT_HEADERS),
      hidden,
    )
    .get(
      '/favicon.svg',
      async ({ request }) => respondWithAsset(request, await favicon(), SMALL_FILE_HEADERS),
      hidden,
    )
    .get(
      '/favicon.ico', // asked for by browsers that show something else than a page
      async ({ request }) => respondWithAsset(request, await favicon(), SMALL_FILE_HEADERS),
      hidden,
    )
    .get(
      '/.well-known/change-password', // for password managers (W3C)
      () => new Response(null, { status: 302, headers: { Location: `${basePath}/account` } }),
      hidden,
    )
    .get(
      '/robots.txt',
      async ({ request }) => respondWithAsset(request, await robots(), SMALL_FILE_HEADERS),
      hidden,
    )
    .use(securityContact === undefined ? new Elysia() : securityText(securityContact, now))
    .use(served.catch(() => new Elysia()));
  return { routes, showUnknown };
}

/** Runs `make` on first use and caches its result, but not a failure. */
function once<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
