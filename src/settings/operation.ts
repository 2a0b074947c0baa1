import { oneOf, setting } from './setting.ts';

/** The part of the settings that is about the request log and the metrics of the service itself. */

const METRICS_TOKEN_LENGTH_MIN = 16;

export const OPERATION_SETTINGS = {
  ACCESS_LOG: setting(
    'on',
    '`on`: a line for each request on standard output, one every ten seconds for all stored events. `off`: none.',
    oneOf('on', 'off'),
  ),
  METRICS_TOKEN: setting(
    '',
    `Opens \`/metrics\` as a bearer token, at least ${METRICS_TOKEN_LENGTH_MIN} characters. Without it only this machine may read it, and with \`TRUST_PROXY\` nobody. \`METRICS_TOKEN_FILE\` names a file with it.`,
    metricsToken,
  ),
} as const;

function metricsToken(value: string): string {
  if (value !== '' && value.length < METRICS_TOKEN_LENGTH_MIN)
    throw new Error(`must have at least ${METRICS_TOKEN_LENGTH_MIN} characters.`);
  return value;
}
