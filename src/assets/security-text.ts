import { Elysia } from 'elysia';
import { DAY_MS } from '../vocabulary/durations.ts';

/** RFC 9116 recommends less than a year. The text is made at each request, so it never expires while the server runs. */
const VALID_MS = 90 * DAY_MS;

/** GET /.well-known/security.txt (RFC 9116): where to report a security problem of this server. */
export function securityText(contact: string, now: () => number) {
  return new Elysia().get(
    '/.well-known/security.txt',
    () => {
      const expires = new Date(now() + VALID_MS).toISOString().replace(/\.\d+Z$/, 'Z');
      return new Response(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`, {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' },
      });
    },
    { detail: { hide: true } },
  );
}
