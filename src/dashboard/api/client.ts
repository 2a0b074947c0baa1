import { API_PREFIX } from '../../vocabulary/contract.ts';
import { toHref } from '../browser/base-path.ts';
import { freshToken, refreshToken, session } from './session.ts';

type Value = string | number | boolean | undefined;
export type Query = Record<string, Value>;

type Call = {
  /** Undefined values are left out. */
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** Bytes to send instead. */
  bytes?: Blob;
  signal?: AbortSignal;
  /** false sends no login. */
  withLogin?: boolean;
  /** Access token in place of this browser's login. */
  token?: string;
};

/** A fault with the server's own message. */
export class ApiError extends Error {
  /** 0: the server could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: Record<string, string[]>;
  constructor(status: number, code: string, message: string, fieldErrors: Record<string, string[]> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fieldErrors = fieldErrors;
  }
}

/**
 * Sends a request to the API; `Answer` is the contract's type of the route.
 *
 * @throws ApiError when it is rejected, or the server cannot be reached
 * @throws DOMException AbortError when `signal` says so
 */
export async function call<Answer>(method: string, path: string, options: Call = {}): Promise<Answer> {
  const response = await respond(method, path, options);
  // A proxy in between may answer with something other than JSON.
  const answer = await response.json().catch(() => undefined);
  if (answer === undefined)
    throw new ApiError(
      response.status,
      'UNREADABLE',
      `The server sent an answer that makes no sense here (${response.status}).`,
    );
  return answer;
}

/**
 * Sends a request whose response the caller reads: a file, a stream of events.
 *
 * @throws ApiError, AbortError as above
 */
export async function respond(method: string, path: string, options: Call = {}): Promise<Response> {
  const isOwn = options.withLogin !== false && options.token === undefined;
  const token = isOwn ? await freshToken() : options.token;
  let response = await send(method, path, options, token);
  // Under /auth a 401 may also mean a wrong password, except at /auth/me, which returns the login.
  if (response.status === 401 && isOwn && token !== undefined && !/^\/auth\/(password|me)$/.test(path)) {
    const renewed = await refreshToken(token);
    if (renewed === undefined) session.expire();
    else response = await send(method, path, options, renewed);
  }
  if (response.ok) return response;
  const refusal = await response.json().catch(() => ({}));
  throw new ApiError(
    response.status,
    refusal.error ?? 'UNKNOWN',
    refusal.message ?? `The server answered ${response.status}.`,
    refusal.details?.fieldErrors,
  );
}

async function send(
  method: string,
  path: string,
  { query, body, bytes, signal }: Call,
  token: string | undefined,
): Promise<Response> {
  try {
    return await fetch(toHref(API_PREFIX + path) + toSearch(query), {
      method,
      credentials: 'omit',
      referrerPolicy: 'origin', // lets the server detect a proxy that adds no header
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw await whyNotAnswered();
  }
}

/** Tells an ad blocker from an unreachable server by an address that no blocker stops. */
async function whyNotAnswered(): Promise<ApiError> {
  const isThere = await fetch(toHref('/favicon.svg'), { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  return isThere
    ? new ApiError(
        0,
        'BLOCKED',
        'The server answers, but this request does not get through. An ad blocker may be in the way: allow this address in its settings.',
      )
    : new ApiError(0, 'UNREACHABLE', 'The server does not answer. Is it running, and are you online?');
}

function toSearch(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
