import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/**
 * Finds the process that holds a lock or a port, as Linux shows it in /proc. Undefined elsewhere, and where it is
 * hidden.
 */

const LISTENING = '0A';

/** The id of the process with a lock on a file. */
export function findLockHolder(path: string): number | undefined {
  const { ino } = statSync(path);
  // 1: POSIX  ADVISORY  WRITE 4711 fd:00:1234567 1073741824 1073742335
  const line = readLines('/proc/locks').find((text) => text.split(/\s+/)[5]?.endsWith(`:${ino}`));
  return toPid(line?.split(/\s+/)[4]);
}

/** The id of a process that listens on a TCP port of this machine. */
export function findListener(port: number): number | undefined {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap(readLines)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(end) && fields[3] === LISTENING)
    .map((fields) => `socket:[${fields[9]}]`);
  if (sockets.length === 0) return undefined;
  return list('/proc')
    .map(toPid)
    .find(
      (pid) => pid && list(`/proc/${pid}/fd`).some((fd) => sockets.includes(link(`/proc/${pid}/fd/${fd}`))),
    );
}

/** The name of a process, for people. */
export function nameProcess(pid: number): string {
  const [name] = readLines(`/proc/${pid}/comm`);
  return name ? `process ${pid} (${name})` : `process ${pid}`;
}

function toPid(text: string | undefined): number | undefined {
  return Number(text) > 0 ? Number(text) : undefined; // 0 and -1 stand for a process of another container
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // it has ended, or belongs to another user
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
