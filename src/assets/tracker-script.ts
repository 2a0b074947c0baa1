import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export type TrackerScript = { body: Uint8Array; gzip: Uint8Array; brotli: Uint8Array; etag: string };

const ENTRY = fileURLToPath(new URL('../../tracker/main.ts', import.meta.url));

/**
 * Bundles the browser tracker in memory: one minified script, and the same compressed as far as it goes,
 * because it is built once and sent a million times. `etag` is the quoted strong one of the body; whoever
 * sends a compressed form has to tell it apart (RFC 9110, 8.8.3.3). Throws when the tracker cannot be built.
 */
export async function buildTrackerScript(entry = ENTRY): Promise<TrackerScript> {
  const body = await bundle(entry);
  return {
    body,
    gzip: gzipSync(body, { level: 9 }),
    // Quality 11 is the default, and the highest.
    brotli: brotliCompressSync(body),
    etag: `"${new Bun.CryptoHasher('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
}

async function bundle(entry: string): Promise<Uint8Array> {
  const result = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format: 'iife',
    minify: true,
    throw: false,
  });
  const [script] = result.outputs;
  if (!result.success || !script) {
    throw new Error(`The tracker script could not be built from ${entry}:\n${result.logs.join('\n')}`);
  }
  return new Uint8Array(await script.arrayBuffer());
}
