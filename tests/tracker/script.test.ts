import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTrackerScript } from '../../src/assets/tracker-script.ts';

describe('the built script', () => {
  test.each([false, true])('stays within its budget of bytes; RESPECT_DNT: %p', async (respectDnt) => {
    const { gzip, brotli } = await buildTrackerScript({ respectDnt });
    expect(gzip.length).toBeLessThanOrEqual(4_400);
    expect(brotli.length).toBeLessThanOrEqual(4_000);
  });

  test('is the same, compressed or not, and each time', async () => {
    const [first, second] = [await buildTrackerScript(), await buildTrackerScript()];
    const text = Buffer.from(first.body).toString();
    expect(gunzipSync(first.gzip).toString()).toBe(text);
    expect(brotliDecompressSync(first.brotli).toString()).toBe(text);
    expect(second).toEqual(first);
  });

  test('has a strong entity tag in quotes', async () => {
    const { etag } = await buildTrackerScript();
    expect(etag).toMatch(/^"[\w-]{22}"$/);
  });

  test('is one function that leaves nothing but its object behind', async () => {
    const text = Buffer.from((await buildTrackerScript()).body).toString();
    expect(text.split('\n')[1]?.startsWith('(()=>{')).toBe(true);
    expect(text.trimEnd().endsWith('})();')).toBe(true);
  });

  test('begins with a line that names it and the settings of the contract', async () => {
    const [line] = Buffer.from((await buildTrackerScript()).body)
      .toString()
      .split('\n', 1);
    expect(line).toBe(
      '/* Pagemeter tracker 1.0.0, MIT licence. TRACKER_CODE, TRACKER_API, TRACKER_DEBUG; data-tracking-code, data-api-url */',
    );
  });

  test('registers no listener that keeps a page out of the back-forward cache', async () => {
    const text = Buffer.from((await buildTrackerScript()).body).toString();
    expect(text).not.toMatch(/["'`](before)?unload["'`]/);
    expect(text).not.toContain('sendBeacon');
    expect(text).not.toContain('preventDefault');
  });

  test.each(['/nowhere/main.ts', `${import.meta.dir}/missing.ts`])(
    'says what is wrong when it cannot be built: %s',
    async (entry) => {
      await expect(buildTrackerScript({ entry })).rejects.toThrow(
        new RegExp(`^The tracker script could not be built from ${entry}:\n.*${entry.split('/')[1]}`),
      );
    },
  );
});
