import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { description, version } from '../package.json';
import { toCompletion } from '../src/cli/completion.ts';
import { createProgram } from '../src/cli/program.ts';
import { toManPage } from './man-page.ts';
import { collectNotices } from './notices.ts';

/**
 * `bun packaging/debian.ts EXECUTABLE…`: a package for Debian and Ubuntu next to each executable with glibc, made by
 * dpkg-deb. It brings the unit, a user, /etc/pagemeter/pagemeter.env for the settings, a manual page and completions.
 */

const HERE = import.meta.dir;
const ARCHITECTURES: Record<string, string> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };
/** Name and address of the package's publisher. */
const MAINTAINER =
  process.env.DEBIAN_MAINTAINER ?? 'Pagemeter developers <pagemeter@users.noreply.github.com>';
const SETTINGS_FILE = 'etc/pagemeter/pagemeter.env';
const CONFFILES = `/${SETTINGS_FILE}\n`;
/**
 * Bun is built as it is: its programs cannot be stripped, because what they run is behind the sections. Zstandard packs in
 * seconds where xz takes 85; dpkg reads it since Debian 12 and Ubuntu 21.10, lintian does not know it yet.
 */
const OVERRIDES = [
  'unstripped-binary-or-object [usr/bin/pagemeter]',
  'embedded-library *',
  'hardening-no-pie [usr/bin/pagemeter]',
  'hardening-no-relro [usr/bin/pagemeter]',
  'malformed-deb-archive *',
]
  .map((tag) => `pagemeter: ${tag}\n`)
  .join('');
const UNIT_FOLDER = 'usr/lib/systemd/system';

const paths = Bun.argv.slice(2);
if (paths.length === 0) throw new Error('Name the executables: bun packaging/debian.ts dist/pagemeter-…');
for (const path of paths) await build(path);

async function build(path: string): Promise<void> {
  const target = /linux-(x64|arm64)$/.exec(path)?.[0] ?? '';
  const architecture = ARCHITECTURES[target];
  if (!architecture) throw new Error(`${path} is for no architecture of Debian.`);
  const root = mkdtempSync(join(tmpdir(), 'pagemeter-deb-'));
  const put = (name: string, text: string | Uint8Array, mode = 0o644) => {
    const at = join(root, name);
    mkdirSync(join(at, '..'), { recursive: true, mode: 0o755 });
    writeFileSync(at, text, { mode });
    chmodSync(at, mode);
  };
  try {
    chmodSync(root, 0o755);
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    cpSync(path, join(root, 'usr/bin/pagemeter'));
    chmodSync(join(root, 'usr/bin/pagemeter'), 0o755);
    const unit = await Bun.file(join(HERE, 'pagemeter.service')).text();
    put(join(UNIT_FOLDER, 'pagemeter.service'), unit);
    put(SETTINGS_FILE, await toSettings());
    put('usr/share/doc/pagemeter/copyright', toCopyright(await collectNotices()));
    put('usr/share/doc/pagemeter/changelog.gz', Bun.gzipSync(toChangelog(), { level: 9 }));
    put('usr/share/man/man1/pagemeter.1.gz', Bun.gzipSync(toManPage(), { level: 9 }));
    const program = createProgram(() => {});
    put('usr/share/bash-completion/completions/pagemeter', toCompletion(program, 'bash'));
    put('usr/share/zsh/vendor-completions/_pagemeter', toCompletion(program, 'zsh'));
    put('usr/share/fish/vendor_completions.d/pagemeter.fish', toCompletion(program, 'fish'));
    put('usr/share/lintian/overrides/pagemeter', OVERRIDES);
    const kib = Math.ceil(Bun.file(path).size / 1024);
    put('DEBIAN/control', toControl(architecture, kib));
    put('DEBIAN/conffiles', CONFFILES);
    for (const script of ['postinst', 'prerm', 'postrm'])
      put(`DEBIAN/${script}`, await Bun.file(join(HERE, 'debian', script)).text(), 0o755);
    const to = join(path, '..', `pagemeter_${version}_${architecture}.deb`);
    const child = Bun.spawn(['dpkg-deb', '--root-owner-group', '-Zzstd', '--build', root, to], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if ((await child.exited) !== 0) throw new Error('dpkg-deb failed.');
    console.log(`${basename(to)}  ${(Bun.file(to).size / 1_000_000).toFixed(0)} MB`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** With a directory for the data, so that commands find it from anywhere. */
async function toSettings(): Promise<string> {
  const example = await Bun.file(join(HERE, '../.env.example')).text();
  return example
    .replace(
      /^# Every setting is optional\. .*\n.*\n/,
      '# Every setting is optional; pagemeter settings says what each one is for.\n',
    )
    .replace('# DATA_DIR=./data', 'DATA_DIR=/var/lib/pagemeter');
}

/** Debian has the texts of common licences once, and refers to them. */
function toCopyright(notices: string): string {
  return notices
    .replace(
      /^ *Apache License\n *Version 2\.0, January 2004[\s\S]*?END OF TERMS AND CONDITIONS/gm,
      'Apache License, Version 2.0: see /usr/share/common-licenses/Apache-2.0',
    )
    .replace('(LGPL 2.1)', '(LGPL 2.1, /usr/share/common-licenses/LGPL-2.1)');
}

function toChangelog(): string {
  const at = new Date().toUTCString().replace('GMT', '+0000');
  return `pagemeter (${version}) unstable; urgency=medium\n\n  * Version ${version}; CHANGELOG.md of its source says what is new.\n\n -- ${MAINTAINER}  ${at}\n`;
}

function toControl(architecture: string, sizeKib: number): string {
  return `Package: pagemeter
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Section: web
Priority: optional
Installed-Size: ${sizeKib}
Depends: libc6 (>= 2.18), libgcc-s1, adduser
Description: ${description.replace(/\.$/, '')}
 Counts the visits of websites, keeps them in one SQLite file and shows them in
 a dashboard. No cookies, no outbound requests.
`;
}
