import { Elysia } from 'elysia';
import type { IpAddress } from '../network/ip-address.ts';

/**
 * Declares on the context who sends the request. Found out once for each request, in before-routes, because to ask the
 * socket takes a microsecond. Used and forgotten, never stored or logged.
 *
 * `address` is null when it is unknown, as on a Unix socket. `isDirect`: a program on this machine, see own-machine.
 * `limitedAddress` is the one that limits count by: null for a direct request.
 */
export function senderAddress() {
  const unknown: IpAddress | null = null;
  // Declared wider than their first values.
  return new Elysia({ name: 'sender-address' })
    .decorate('address', unknown as IpAddress | null)
    .decorate('limitedAddress', unknown as IpAddress | null)
    .decorate('isDirect', false as boolean);
}
