import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';

const ROOT = join(import.meta.dir, '../..');
const canBuild = Bun.which('dpkg-deb') !== null;
if (!canBuild) console.warn('The tests of the Debian package need dpkg-deb.');

const folder = mkdtempSync(join(tmpdir(), 'pagemeter-debian-'));
const deb = join(folder, `pagemeter_${version}_amd64.deb`);
const unpacked = join(folder, 'unpacked');
afterAll(() => rmSync(folder, { recursive: true }));

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stdout}${stderr}`);
  return stdout.toString();
}

/** With another program in the place of the executable, whose making takes a minute. */
describe.if(canBuild)('the Debian package', () => {
  beforeAll(() => {
    const executable = join(folder, `pagemeter-${version}-linux-x64`);
    copyFileSync('/bin/true', executable);
    run(process.execPath, 'packaging/debian.ts', executable);
    run('dpkg-deb', '-x', deb, unpacked);
  });

  const read = (path: string) => readFileSync(join(unpacked, path));

  test('names a maintainer who can be written to', () => {
    expect(run('dpkg-deb', '--field', deb, 'Maintainer')).toMatch(/<[^@]+@[\w-]+(\.[\w-]+)+>\n$/);
  });

  test('has settings that say where the data are, which the unit reads', () => {
    expect(read('etc/pagemeter/pagemeter.env').toString()).toContain('\nDATA_DIR=/var/lib/pagemeter\n');
    const unit = read('usr/lib/systemd/system/pagemeter.service').toString();
    for (const line of [
      'EnvironmentFile=-/etc/pagemeter/pagemeter.env',
      'RestartPreventExitStatus=78',
      'MemoryMax=',
      'TasksMax=',
    ])
      expect(unit).toContain(`\n${line}`);
  });

  test('has a manual page with the help of every command, and completions', () => {
    const page = new TextDecoder().decode(Bun.gunzipSync(read('usr/share/man/man1/pagemeter.1.gz')));
    for (const command of ['backup', 'doctor', 'user']) expect(page).toContain(`.SS pagemeter ${command}\n`);
    expect(page).toContain('set\\-password');
    for (const path of [
      'bash-completion/completions/pagemeter',
      'zsh/vendor-completions/_pagemeter',
      'fish/vendor_completions.d/pagemeter.fish',
    ])
      expect(read(`usr/share/${path}`).toString()).toContain('set-password');
  });

  test.if(Bun.which('lintian') !== null)('is clean in lintian', () => {
    const { stdout } = Bun.spawnSync(['lintian', deb]);
    // Of the program that stands in for ours.
    const found = stdout
      .toString()
      .split('\n')
      .filter((line) => /^[EW]:/.test(line) && !line.includes('usr/bin/'));
    expect(found).toEqual([]);
  });
});
