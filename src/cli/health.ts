import type { Health } from '../contract/health.ts';
import { parseConfig } from '../settings/config.ts';

/** Longer than a service under load takes, shorter than what asks every half a minute waits. */
const PATIENCE_MS = 10_000;

/**
 * Asks a service whether it is well, and prints what it says.
 *
 * @param url its address; by default that of the settings on this machine
 * @returns the exit code: 1 when it cannot be reached or says that requests fail
 */
export async function askHealth(url?: string): Promise<0 | 1> {
  const address = `${(url ?? ownAddress()).replace(/\/+$/, '')}/api/health`;
  let answer: Response;
  try {
    answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    console.error(`Nothing answers at ${address}: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
  const found = (await answer.json().catch(() => undefined)) as Partial<typeof Health.static> | undefined;
  if (!found?.status || !found.reasons) {
    console.error(`${address} answers ${answer.status}, and is no Pagemeter.`);
    return 1;
  }
  console.log([found.status, ...found.reasons].join('\n'));
  return answer.ok ? 0 : 1;
}

const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** @throws ConfigError, or an Error with a sentence when the port is chosen by the system */
function ownAddress(): string {
  const { host, port } = parseConfig(process.env, process.cwd()).config;
  if (port === 0) throw new Error('PORT is 0, so the port is not known here: name the address with --url.');
  const name = EVERY_ADDRESS.get(host) ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
