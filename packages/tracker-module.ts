import { join } from 'node:path';
import { bundleTracker } from '../src/assets/tracker-script.ts';

/** The text of pagemeter-tracker: the script of the server, started by a call instead of by a tag. */
export async function toTrackerModule(): Promise<string> {
  const script = (await bundleTracker(false)).trim().replace(/;$/, '');
  const entry = join(import.meta.dir, 'tracker/index.ts');
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'esm' });
  const text = (await outputs[0]?.text()) ?? '';
  if (!text.includes('INSTALL()')) throw new Error('The tracker would not be installed.');
  return text.replace('INSTALL()', () => `(() => ${script})()`);
}
