import { join } from 'node:path';
import { staticPlugin } from '@elysiajs/static';
import { Elysia } from 'elysia';
import { pathOf } from '../http/path.ts';
import { ASSETS_PREFIX } from './browser-files.ts';
import { type EncodedAsset, encodeAsset, respondWithAsset } from './encoded.ts';

/** Far above the number of files: with more than this, the plugin would serve none. */
const FILES_MAX = 1_000;

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable', // the names carry a hash of the content
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the folder of bundled files with @elysiajs/static. `alwaysStatic` gives each present file its own route, without
 * dotfiles and links, so there is no wildcard path to escape from. The plugin's ETags are unquoted and depend on the file,
 * so they are off: immutable files are never revalidated. The plugin cannot compress; a hook on its routes answers in
 * compressed form, created on the first request.
 */
export async function staticFiles(folder: string) {
  const files = await staticPlugin({
    assets: folder,
    prefix: ASSETS_PREFIX,
    alwaysStatic: true,
    staticLimit: FILES_MAX,
    etag: false,
    indexHTML: false,
    ignorePatterns: [],
    headers: HEADERS,
  });
  const encoded = new Map<string, EncodedAsset>();
  return new Elysia()
    .onBeforeHandle(async ({ request }) => {
      const path = pathOf(request);
      const asset = encoded.get(path) ?? (await encodeFile(join(folder, path.slice(ASSETS_PREFIX.length))));
      encoded.set(path, asset);
      return respondWithAsset(request, asset, HEADERS);
    })
    .use(files);
}

async function encodeFile(path: string): Promise<EncodedAsset> {
  const file = Bun.file(path);
  return encodeAsset(file.type, await file.text());
}
