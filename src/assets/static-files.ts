import { join } from 'node:path';
import { staticPlugin } from '@elysiajs/static';
import { Elysia } from 'elysia';
import { pathOf } from '../http/path.ts';
import { ASSETS_PREFIX } from './browser-files.ts';
import { type EncodedAsset, encodeAsset, respondWithAsset } from './encoded.ts';

/** Far above what there is: with more files than this the plugin would serve none of them. */
const FILES_MAX = 1_000;

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable', // the names carry a hash of the content
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the folder of bundled files with @elysiajs/static. `alwaysStatic` gives each file of this moment a route of
 * its own, without dotfiles and links; there is no wildcard that a path could climb out of. The plugin's tags
 * are not quoted and change after the file, so they are off: what is immutable is never asked for again.
 * The plugin cannot compress; the hook, which runs on its routes only, answers with the compressed form, made at the
 * first request.
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
