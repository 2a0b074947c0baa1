import { expect, test } from 'bun:test';
import { hkdfSync } from 'node:crypto';
import { deriveKey } from '../../src/accounts/derive-key.ts';

test.each([1, 32, 64, 65, 200])('a key that is derived from %d bytes is that of HKDF', (length) => {
  const key = crypto.getRandomValues(new Uint8Array(length));
  for (const purpose of ['', 'pagemeter refresh token', 'ä'.repeat(100)])
    expect(new Uint8Array(deriveKey(key, purpose))).toEqual(
      new Uint8Array(hkdfSync('sha256', key, '', purpose, 32)),
    );
});
