import { version } from '../../package.json';
import type { IpAddress } from '../network/ip-address.ts';
import { type DestinationRules, findDestination } from './destination.ts';
import { PageFault } from './page-fault.ts';

export type FetchedPage = { url: URL; headers: Headers; html: string };

type Options = DestinationRules & {
  /** All addresses of a name. */
  resolve?: (host: string) => Promise<string[]>;
  /** Certificates to trust instead of the usual ones. */
  ca?: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;
const REDIRECTS_MAX = 3;
const BODY_BYTES_MAX = 1024 * 1024;
const USER_AGENT = `Pagemeter/${version} (installation check)`;

/**
 * Fetches a page at an untrusted URL safely: the name is resolved once, its addresses are checked, and the connection goes
 * to the checked address itself, so that a second answer of the resolver cannot divert it. Redirects are checked the same
 * way. Sends no cookies or credentials, and truncates long pages.
 *
 * @throws PageFault saying why the page cannot be looked at
 */
export async function fetchPage(options: Options): Promise<FetchedPage> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let url = new URL(options.registered);
  for (let redirects = 0; ; redirects += 1) {
    const response = await visit(url, options, signal);
    if (response.status < 300 || response.status >= 400) return readPage(url, response, signal);
    await response.body?.cancel();
    const location = response.headers.get('location');
    const next = location === null ? null : URL.parse(location, url);
    if (!next || redirects === REDIRECTS_MAX)
      throw new PageFault(
        'page-refused',
        next
          ? `The page redirects more than ${REDIRECTS_MAX} times.`
          : `The page answers with status ${response.status} and does not say where to.`,
        'Register the address that visitors end up at.',
      );
    url = next;
  }
}

async function visit(url: URL, options: Options, signal: AbortSignal): Promise<Response> {
  const { resolve = resolveName } = options;
  const addresses = await unlessTooLate(findDestination(url, options, resolve), signal, url);
  let fault: unknown;
  for (const address of addresses) {
    try {
      return await connect(url, address, options.ca, signal);
    } catch (error) {
      fault = error;
      if (signal.aborted) break;
    }
  }
  throw toPageFault(url, fault, signal);
}

/**
 * Sends a request whose URL contains the address, so that the name is not resolved again, neither here nor by a proxy of the
 * environment. The Host header and the certificate are those of the name.
 */
function connect(
  url: URL,
  address: IpAddress,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const host = address.family === 'ipv6' ? `[${address.text}]` : address.text;
  const port = url.port && `:${url.port}`;
  const isName = url.hostname !== host;
  return fetch(`${url.protocol}//${host}${port}${url.pathname}${url.search}`, {
    headers: {
      Host: url.host,
      'User-Agent': USER_AGENT,
      Accept: 'text/html',
      'Accept-Encoding': 'identity', // automatic decompression would have no limit
    },
    tls: { ...(isName && { serverName: url.hostname }), ...(ca !== undefined && { ca }) },
    redirect: 'manual',
    decompress: false,
    keepalive: false,
    credentials: 'omit',
    signal,
  });
}

async function readPage(url: URL, response: Response, signal: AbortSignal): Promise<FetchedPage> {
  const { status, headers } = response;
  if (!response.ok) {
    await response.body?.cancel();
    throw new PageFault(
      'page-refused',
      `The page of ${url.origin} answers this server with status ${status}.`,
      status >= 500
        ? 'Fix the page first.'
        : 'The page may need a login, or block bots. Check by hand whether the script is in it.',
    );
  }
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    throw new PageFault(
      'page-not-html',
      `${url.origin} does not answer with a web page.`,
      'Register the address of a page that has the script.',
    );
  }
  return { url, headers, html: await readText(url, response, signal) };
}

async function readText(url: URL, response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of unpacked(response) ?? []) {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > BODY_BYTES_MAX) break; // the rest is ignored
    }
    return Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString();
  } catch (error) {
    throw toPageFault(url, error, signal);
  }
}

/** Some servers pack whatever is asked for. Unpacked as it is read, so what is cut off is never unpacked. */
function unpacked({ headers, body }: Response): ReadableStream<Uint8Array> | null {
  const isPacked = headers.get('content-encoding')?.toLowerCase() === 'gzip';
  return isPacked && body ? body.pipeThrough(new DecompressionStream('gzip')) : body;
}

/** Rejects when the signal aborts: a resolver cannot be cancelled, only abandoned. */
function unlessTooLate<Result>(work: Promise<Result>, signal: AbortSignal, url: URL): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(toPageFault(url, signal.reason, signal)), { once: true });
    work.then(resolve, reject);
  });
}

function toPageFault(url: URL, error: unknown, signal: AbortSignal): PageFault {
  if (error instanceof PageFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (signal.aborted)
    return new PageFault(
      'page-unreachable',
      `${url.origin} did not answer in time.`,
      'Is the website up? Then check by hand whether the script is in its pages.',
    );
  if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER/i.test(code))
    return new PageFault(
      'page-unreachable',
      `The certificate of ${url.hostname} is not valid (${code.slice(0, 60)}).`,
      'Browsers warn visitors about it. Renew the certificate.',
    );
  return new PageFault(
    'page-unreachable',
    `${url.origin} cannot be reached from this server.`,
    'Is the website up, and may this server reach it? If only people can reach it, check by hand whether the script is in its pages.',
  );
}

async function resolveName(host: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises'); // loaded lazily: the start is 5 ms shorter
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
