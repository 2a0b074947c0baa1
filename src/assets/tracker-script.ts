import { fileURLToPath } from 'node:url';
import { type EncodedAsset, encodeAsset } from './encoded.ts';

const ENTRY = fileURLToPath(new URL('../../tracker/main.ts', import.meta.url));

/**
 * Bundles the browser tracker in memory: one minified script, and the same compressed as far as it goes, because it
 * is built once and sent a million times.
 *
 * @throws Error with the bundler's words when the tracker cannot be built
 */
export async function buildTrackerScript(entry = ENTRY): Promise<EncodedAsset> {
  const result = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format: 'iife',
    minify: true,
    throw: false,
  });
  const [script] = result.outputs;
  if (!result.success || !script)
    throw new Error(`The tracker script could not be built from ${entry}:\n${result.logs.join('\n')}`);
  return encodeAsset('text/javascript; charset=utf-8', await script.text());
}
