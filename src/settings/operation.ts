import { oneOf, secret, setting } from './setting.ts';

/** Settings of the request log and of the service's own metrics. */

const METRICS_TOKEN_LENGTH_MIN = 16;

export const OPERATION_SETTINGS = {
  ACCESS_LOG: setting(
    'on',
    '`on`: a line for each request on standard output, one every ten seconds for all stored events. `off`: none.',
    oneOf('on', 'off'),
  ),
  METRICS_TOKEN: secret(
    `Bearer token for \`/metrics\`, at least ${METRICS_TOKEN_LENGTH_MIN} characters. Without it, only this machine may read them; with \`TRUST_PROXY\` set, they are closed. \`METRICS_TOKEN_FILE\` names a file with it.`,
    metricsToken,
  ),
} as const;

function metricsToken(value: string): string {
  if (value !== '' && value.length < METRICS_TOKEN_LENGTH_MIN)
    throw new Error(`must have at least ${METRICS_TOKEN_LENGTH_MIN} characters.`);
  return value;
}
