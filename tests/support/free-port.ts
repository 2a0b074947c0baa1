/** Below those that systems hand out by themselves (Linux from 32768, others from 49152), above the well-known ones. */
const LOWEST = 10_240;
const COUNT = 32_768 - LOWEST;
const TRIES_MAX = 100;

/**
 * A port that nothing listens on at this moment, for what must be told its port or come back on it. No connection and
 * no server that leaves the choice to the system takes it in the meantime, as they do with one of the system's own.
 */
export function freePort(): number {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (isFree(port)) return port;
  }
  throw new Error('There is no free port.');
}

function isFree(port: number): boolean {
  try {
    Bun.serve({ port, hostname: '127.0.0.1', reusePort: false, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}
