import { license } from '../../package.json';
import {
  EVENT_TYPES,
  FORM_EVENT,
  TRACKER_BATCH_EVENTS,
  TRACKER_CHUNK_BYTES_MAX,
  TRACKER_FLUSH_INTERVAL_MS,
  TRACKER_VERSION,
  URL_LENGTH_MAX,
} from '../vocabulary/contract.ts';

import { encodeAsset } from './encoded.ts';

const ENTRY = Bun.fileURLToPath(new URL('../../tracker/main.ts', import.meta.url));

/** Values that the script shares with the service, as literals: an import would leave a variable for each. */
const BOUNDS = Object.fromEntries(
  Object.entries({
    EVENT_TYPES,
    FORM_EVENT,
    TRACKER_VERSION,
    TRACKER_BATCH_EVENTS,
    TRACKER_CHUNK_BYTES_MAX,
    TRACKER_FLUSH_INTERVAL_MS,
    URL_LENGTH_MAX,
  }).map(([name, value]) => [name, JSON.stringify(value)]),
);

/** First line of the script: its name, and the contract's settings by name (D58). */
const NOTICE = `/* Pagemeter tracker ${TRACKER_VERSION}, ${license} licence. TRACKER_CODE, TRACKER_API, TRACKER_DEBUG; data-tracking-code, data-api-url */\n`;

/** Placeholder of the collect address, which depends on the script's address when it is served. */
const COLLECT_PLACE = '@collect@';

type Options = {
  entry?: string;
  /** Path to which events are sent, relative to the script's address. */
  collectPath?: string;
  /** Ignores browsers that send Do Not Track or Global Privacy Control, unless a tag says otherwise. */
  respectDnt?: boolean;
};

/**
 * Bundles the tracker in memory: one minified script, compressed with the highest quality, because it is built once and
 * sent a million times.
 *
 * @throws Error with the bundler's message when the tracker cannot be built
 */
export async function buildTrackerScript({
  entry,
  respectDnt = false,
  collectPath = 'api/v1/events',
}: Options = {}) {
  const { prebuilt } = await import('./prebuilt.ts');
  const ready = entry === undefined ? prebuilt?.trackers[respectDnt ? 'on' : 'off'] : undefined;
  const text = ready ?? (await bundleTracker(respectDnt, entry));
  return encodeAsset('text/javascript; charset=utf-8', NOTICE + text.replaceAll(COLLECT_PLACE, collectPath));
}

/** @throws Error with the bundler's message */
export async function bundleTracker(respectDnt: boolean, entry = ENTRY): Promise<string> {
  try {
    const { outputs } = await Bun.build({
      entrypoints: [entry],
      target: 'browser',
      format: 'iife',
      minify: true,
      define: { ...BOUNDS, RESPECT_DNT: String(respectDnt), COLLECT_PATH: JSON.stringify(COLLECT_PLACE) },
    });
    const [script] = outputs;
    if (!script) throw new Error('no output');
    return await script.text();
  } catch (error) {
    // An error in the source is an aggregate with a message for each position.
    const reasons = error instanceof AggregateError ? error.errors : [error];
    throw new Error(`The tracker script could not be built from ${entry}:\n${reasons.join('\n')}`, {
      cause: error,
    });
  }
}
