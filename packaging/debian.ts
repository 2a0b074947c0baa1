import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { description, version } from '../package.json';
import { collectNotices } from './notices.ts';

/**
 * `bun packaging/debian.ts EXECUTABLE…`: a package for Debian and Ubuntu beside each executable with glibc, made by
 * dpkg-deb. It brings the unit, a user, and /etc/pagemeter/.env for the settings.
 */

const HERE = import.meta.dir;
const ARCHITECTURES: Record<string, string> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };
const CONFFILES = '/etc/pagemeter/.env\n';
const UNIT_FOLDER = 'usr/lib/systemd/system';

const paths = Bun.argv.slice(2);
if (paths.length === 0) throw new Error('Name the executables: bun packaging/debian.ts dist/pagemeter-…');
for (const path of paths) await build(path);

async function build(path: string): Promise<void> {
  const target = /linux-(x64|arm64)$/.exec(path)?.[0] ?? '';
  const architecture = ARCHITECTURES[target];
  if (!architecture) throw new Error(`${path} is for no architecture of Debian.`);
  const root = mkdtempSync(join(tmpdir(), 'pagemeter-deb-'));
  const put = (name: string, text: string, mode = 0o644) => {
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
    put('etc/pagemeter/.env', await Bun.file(join(HERE, '../.env.example')).text(), 0o640);
    put('usr/share/doc/pagemeter/copyright', await collectNotices());
    const kib = Math.ceil(Bun.file(path).size / 1024);
    put('DEBIAN/control', toControl(architecture, kib));
    put('DEBIAN/conffiles', CONFFILES);
    for (const script of ['postinst', 'prerm', 'postrm'])
      put(`DEBIAN/${script}`, await Bun.file(join(HERE, 'debian', script)).text(), 0o755);
    const to = join(path, '..', `pagemeter_${version}_${architecture}.deb`);
    const child = Bun.spawn(['dpkg-deb', '--root-owner-group', '-Zxz', '--build', root, to], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if ((await child.exited) !== 0) throw new Error('dpkg-deb failed.');
    console.log(`${basename(to)}  ${(Bun.file(to).size / 1_000_000).toFixed(0)} MB`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function toControl(architecture: string, sizeKib: number): string {
  return `Package: pagemeter
Version: ${version}
Architecture: ${architecture}
Maintainer: Pagemeter <pagemeter@localhost>
Section: web
Priority: optional
Installed-Size: ${sizeKib}
Depends: libc6 (>= 2.18), libgcc-s1, adduser
Description: ${description.replace(/\.$/, '')}
 Counts the visits of websites, keeps them in one SQLite file and shows them in
 a dashboard. No cookies; nothing is sent to anybody else.
`;
}
