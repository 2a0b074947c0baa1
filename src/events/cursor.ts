import { deriveKey } from '../accounts/derive-key.ts';
import type { EventPosition } from '../log/event.ts';

/**
 * Cursors of lists of events: which event is the last of a page. Opaque, because the key of an event counts those of
 * all accounts.
 */
export type Cursors = {
  seal(position: EventPosition): Promise<string>;
  /** Undefined for a text that is not a cursor of this server. */
  open(cursor: string): Promise<EventPosition | undefined>;
};

const ALGORITHM = 'AES-GCM';
const NONCE_BYTES = 12;

export function createCursors(secret: string): Cursors {
  const bytes = deriveKey(new TextEncoder().encode(secret), 'pagemeter event cursor');
  const nonceKey = deriveKey(bytes, 'nonce');
  const importing = crypto.subtle.importKey('raw', Uint8Array.from(bytes), ALGORITHM, false, [
    'encrypt',
    'decrypt',
  ]);

  return {
    async seal({ atMs, key, id }) {
      const text = JSON.stringify([atMs, key, id]);
      // Of the text, so that equal pages have equal cursors; no two texts share one.
      const nonce = new Bun.CryptoHasher('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
      const sealed = await crypto.subtle.encrypt(
        { name: ALGORITHM, iv: Uint8Array.from(nonce) },
        await importing,
        new TextEncoder().encode(text),
      );
      return Buffer.concat([nonce, new Uint8Array(sealed)]).toString('base64url');
    },

    async open(cursor) {
      const sealed = Uint8Array.from(Buffer.from(cursor, 'base64url'));
      const iv = sealed.subarray(0, NONCE_BYTES);
      try {
        const text = await crypto.subtle.decrypt(
          { name: ALGORITHM, iv },
          await importing,
          sealed.subarray(NONCE_BYTES),
        );
        const [atMs, key, id] = JSON.parse(new TextDecoder().decode(text)); // as it was sealed
        return { atMs, key, ...(id && { id }) };
      } catch {
        return undefined; // an OperationError: it was changed, or is of another server
      }
    },
  };
}
