import { chooseEncoding } from '../../http/encoding.ts';

/** Below it the headers weigh more than what is saved. */
const BYTES_MIN = 2_048;
/** 30 kB of a dashboard become 5 kB in 0.2 ms; the highest level saves another 0.4 kB in ten times as long. */
const LEVEL = 1;

type Context = {
  responseValue: unknown;
  request: Request;
};

/**
 * Reports travel compressed when the client takes it: a mapResponse hook. What a proxy does as well costs nothing twice:
 * it leaves alone what has an encoding. Files and streams are Responses already, and go as they are.
 */
export function compressReport({ responseValue, request }: Context): Response | undefined {
  if (responseValue === null || typeof responseValue !== 'object' || responseValue instanceof Response)
    return undefined;
  if (chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) === 'identity') return undefined;
  const text = JSON.stringify(responseValue);
  if (text.length < BYTES_MIN) return undefined;
  return new Response(Bun.gzipSync(text, { library: 'libdeflate', level: LEVEL }), {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
  });
}
