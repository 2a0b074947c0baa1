import { Elysia } from 'elysia';

/**
 * Declares `address` on the context: who sends the request, canonical; null when nobody knows. Found out once for each
 * request, in before-routes, because to ask the socket takes a microsecond. Used and forgotten, never stored or logged.
 */
export function senderAddress() {
  const unknown: string | null = null;
  // Declared wider than its first value.
  return new Elysia({ name: 'sender-address' }).decorate('address', unknown as string | null);
}
