import { Elysia } from 'elysia';

/**
 * Declares on the context who sends the request, canonical; null when nobody knows. Found out once for each request, in
 * before-routes, because to ask the socket takes a microsecond. Used and forgotten, never stored or logged.
 *
 * `limitedAddress` is the one that limits count by: null as well for programs on this machine, which have none.
 */
export function senderAddress() {
  const unknown: string | null = null;
  // Declared wider than their first values.
  return new Elysia({ name: 'sender-address' })
    .decorate('address', unknown as string | null)
    .decorate('limitedAddress', unknown as string | null);
}
