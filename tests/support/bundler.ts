import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBrowserFiles } from '../../src/assets/browser-files.ts';
import type { BrowserFiles } from '../../src/assets/prebuilt.ts';
import type { Bundler } from '../../src/assets/routes.ts';
import { buildTrackerScript } from '../../src/assets/tracker-script.ts';

/** The bundled files of the pages are all that is written there, the same for every test. */
export const SHARED_DATA_DIR = join(import.meta.dir, '../../node_modules/.cache/pagemeter-tests');
const SHARED_FOLDER = join(SHARED_DATA_DIR, 'assets');

let files: Promise<BrowserFiles> | undefined;
const trackers = new Map<string, ReturnType<typeof buildTrackerScript>>();

/** Bundles once for all services of a process; each would take 130 ms of processor time for it. */
export const sharedBundler: Bundler = {
  tracker(options = {}) {
    const key = JSON.stringify(options);
    const tracker = trackers.get(key) ?? buildTrackerScript(options);
    trackers.set(key, tracker);
    return tracker;
  },
  async files(folder) {
    files ??= buildBrowserFiles(SHARED_FOLDER);
    const built = await files;
    if (folder !== SHARED_FOLDER) await cp(SHARED_FOLDER, folder, { recursive: true });
    return built;
  },
};
