import type { Answer } from './outcome.ts';

/**
 * Posts one event, or several as a batch. Never rejects. JSON by `fetch` with keepalive outlives the page in
 * Chromium, Firefox and Safari even when a preflight comes first; `sendBeacon` loses JSON when a tab is closed
 * in Firefox, and always carries credentials.
 */
export const post = async (url: string, chunk: string[], keepalive: boolean): Promise<Answer> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // The clock that the events were dated by, for the server to correct.
      body: `{"sentAt":${Date.now()},${chunk[1] ? `"events":[${chunk}]}` : chunk.join().slice(1)}`,
      credentials: 'omit',
      keepalive,
      // A server that neither answers nor hangs up must not hold the queue for ever. Missing in Safari before 16.
      signal: AbortSignal.timeout?.(30_000),
    });
    // The body is always read: until then the request counts against the browser's budget of 64 KiB.
    return [response.status, await response.text(), response.headers.get('Retry-After')];
  } catch (error) {
    return [0, `${error}`];
  }
};
