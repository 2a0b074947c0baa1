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
    const token = process.env.METRICS_TOKEN; // behind a proxy the reasons are for its bearer alone
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    answer = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    console.error(`Nothing answers at ${address}: ${reasonOf(error)}`);
    return 1;
  }
  const found = (await answer.json().catch(() => undefined)) as Partial<typeof Health.static> | undefined;
  if (!found?.status) {
    console.error(`${address} answers ${answer.status}, and is not a Pagemeter.`);
    return 1;
  }
  console.log([found.status, ...(found.reasons ?? [])].join('\n'));
  return answer.ok ? 0 : 1;
}

/** Bun's own sentence asks whether the computer can reach the address. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection is refused. Does the service run, with this HOST and PORT?'],
  ['ENOTFOUND', 'the name has no address.'],
]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1_000} seconds.`;
  return ('code' in error && REASONS.get(String(error.code))) || error.message;
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
