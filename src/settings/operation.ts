import { oneOf, secret, setting, type ValuesOf } from './setting.ts';

/** Settings of the request log, of the service's own metrics and of its contact. */

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
  SECURITY_CONTACT: setting(
    '',
    'Where to report a security problem of this server: `mailto:…`, `tel:…` or `https://…`. With it, `/.well-known/security.txt` exists.',
    securityContact,
  ),
} as const;

export type OperationSettings = {
  accessLog: 'on' | 'off';
  /** A URI. */
  securityContact: string | undefined;
};

export function toOperationSettings(values: ValuesOf<typeof OPERATION_SETTINGS>): OperationSettings {
  return { accessLog: values.ACCESS_LOG, securityContact: values.SECURITY_CONTACT || undefined };
}

function metricsToken(value: string): string {
  if (value !== '' && value.length < METRICS_TOKEN_LENGTH_MIN)
    throw new Error(`must have at least ${METRICS_TOKEN_LENGTH_MIN} characters.`);
  return value;
}

function securityContact(value: string): string {
  if (value !== '' && !(/^(mailto:.+@|tel:\+?\d|https:\/\/)/.test(value) && URL.canParse(value)))
    throw new Error('must begin with mailto:, tel: or https://, such as mailto:security@example.com.');
  if (/[\s#]/.test(value)) throw new Error('must be an address without spaces.');
  return value;
}
