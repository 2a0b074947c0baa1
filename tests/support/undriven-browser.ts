import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_ARGUMENTS, findChromium, findFirefox } from './browser.ts';

export type Engine = 'Chromium' | 'Firefox';

/** A quiet Firefox, as far as settings can make it one. */
const FIREFOX_SETTINGS = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

const COMMANDS: Record<Engine, { find: () => string | undefined; arguments: (profile: string) => string[] }> =
  {
    Chromium: {
      find: findChromium,
      arguments: (profile) => [
        '--headless=new',
        ...CHROMIUM_ARGUMENTS,
        '--disable-popup-blocking',
        `--user-data-dir=${profile}`,
      ],
    },
    Firefox: {
      find: findFirefox,
      arguments: (profile) => ['--headless', '--no-remote', '--profile', profile],
    },
  };

/** Whether there is such a browser; without one its tests may be left out. */
export const hasBrowser = (engine: Engine): boolean => COMMANDS[engine].find() !== undefined;

/** An undriven browser: everything in it is done by the page. It ends with the block it is opened in. */
export async function openUndriven(engine: Engine, url: string): Promise<AsyncDisposable> {
  const { find, arguments: toArguments } = COMMANDS[engine];
  const profile = await mkdtemp(join(tmpdir(), 'pagemeter-profile-'));
  const settings = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`,
  );
  await Bun.write(join(profile, 'user.js'), settings.join('\n'));
  const browser = Bun.spawn([`${find()}`, ...toArguments(profile), url], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  return {
    async [Symbol.asyncDispose]() {
      browser.kill();
      await browser.exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
