#!/usr/bin/env node
// Starts the executable of the package for this system, which npm has installed beside this one.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
const target = `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
let path;
try {
  path = createRequire(import.meta.url).resolve(`pagemeter-${target}/pagemeter`);
} catch {
  console.error(
    `Pagemeter has no executable for ${target}, or npm has left it out (--omit=optional). There are linux-x64 and linux-arm64, each with glibc and musl.`,
  );
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
child.on('error', (error) => {
  console.error(`${path} cannot be started: ${error.message}`);
  process.exit(1);
});
