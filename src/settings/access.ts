import { oneOf, secret, setting, type ValuesOf } from './setting.ts';

/** Settings that decide who may use the API. */
export const ACCESS_SETTINGS = {
  JWT_SECRET: secret(
    'Signs the login tokens, at least 32 characters. `JWT_SECRET_FILE` names a file with it. Default: generated once, kept in `DATA_DIR/secret`.',
    jwtSecret,
  ),
  REGISTRATION: setting(
    '',
    '`open`: anyone may register. `closed`: only the first account. Without it, a switch in the dashboard decides; it is open until the server is set up.',
    registration,
  ),
  COMMON_PASSWORDS: setting(
    'accept',
    'Whether the API accepts common passwords, such as `Password1`: `accept` or `refuse`. The dashboard and `user set-password` always refuse them.',
    oneOf('accept', 'refuse'),
  ),
  CORS_ORIGINS: setting(
    '',
    'Comma-separated origins whose pages may call the API (the event and tracker routes are open to all).',
    origins,
  ),
} as const;

export type AccessSettings = {
  /** Undefined: the switch in the dashboard decides. */
  registration: 'open' | 'closed' | undefined;
  commonPasswords: 'accept' | 'refuse';
  corsOrigins: readonly string[];
};

export function toAccessSettings(values: ValuesOf<typeof ACCESS_SETTINGS>): AccessSettings {
  return {
    registration: values.REGISTRATION,
    commonPasswords: values.COMMON_PASSWORDS,
    corsOrigins: values.CORS_ORIGINS,
  };
}

function origins(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const url = URL.canParse(entry) ? new URL(entry) : undefined;
      if (!url || !/^https?:$/.test(url.protocol) || url.origin !== entry.toLowerCase().replace(/\/$/, ''))
        throw new Error(`lists "${entry}", which is not an origin such as https://app.example.com.`);
      return url.origin;
    });
}

function registration(value: string): 'open' | 'closed' | undefined {
  return value === '' ? undefined : oneOf('open', 'closed')(value);
}

const SECRET_LENGTH_MIN = 32;

function jwtSecret(value: string): string {
  if (value === '') return value;
  if (value.length < SECRET_LENGTH_MIN)
    throw new Error(
      `must have at least ${SECRET_LENGTH_MIN} characters; leave it out to have one generated.`,
    );
  if (new Set(value).size < 8) throw new Error('is too simple; leave it out to have one generated.');
  return value;
}
