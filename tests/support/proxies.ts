import { describe } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Wherever they are; /usr/sbin, where Debian has nginx, is not in every PATH. */
const find = (name: string) =>
  Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }) ?? '';
const PLACES = { nginx: find('nginx'), caddy: find('caddy') };

const isThere = Object.values(PLACES).every((path) => path !== '');
if (!isThere) {
  const sentence = 'The tests of proxies need them: apt-get install nginx-light caddy';
  if (process.env.CI) throw new Error(sentence);
  console.warn(sentence);
}
export const describeWithProxies = describe.if(isThere);

const START_MS_MAX = 30_000;

export type RunningProxy = { stop(): Promise<void> };

/** @param servers what stands within `http {}` */
export function startNginx(folder: string, ports: readonly number[], servers: string): Promise<RunningProxy> {
  mkdirSync(folder);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off;\n${paths}\n${servers}\n}`,
  );
  return start([PLACES.nginx, '-c', file, '-p', folder, '-e', `${folder}/error.log`], folder, ports);
}

/** @param sites what stands below the global options */
export function startCaddy(folder: string, ports: readonly number[], sites: string): Promise<RunningProxy> {
  mkdirSync(folder);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${sites}`);
  return start([PLACES.caddy, 'run', '--config', file, '--adapter', 'caddyfile'], folder, ports);
}

async function start(command: string[], folder: string, ports: readonly number[]): Promise<RunningProxy> {
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = new Response(child.stderr).text();
  const deadlineMs = performance.now() + START_MS_MAX;
  for (const port of ports)
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`${command[0]} ended: ${await said}`);
      if (performance.now() > deadlineMs) throw new Error(`${command[0]} does not listen.`);
      await Bun.sleep(20);
    }
  return {
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
