import { describe, expect, test } from 'bun:test';
import { bytesToUuid, packId, unpackId, uuidToBytes } from '../../src/db/packed-id.ts';

describe('packed ids', () => {
  test('a UUID is 16 bytes and comes back in lower case', () => {
    for (let count = 0; count < 200; count += 1) {
      const uuid = crypto.randomUUID();
      expect(uuidToBytes(uuid)).toEqual(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
      expect(bytesToUuid(uuidToBytes(uuid.toUpperCase()))).toBe(uuid);
    }
  });

  test.each([
    ['01a1f640-c100-7238-bf25-e36c293b01aa', 16],
    ['01A1F640-C100-7238-BF25-E36C293B01AA', 36], // as text: its case has to come back
    ['01a1f640c1007238bf25e36c293b01aa', 32],
    ['session-7', 9],
    ['ffffffff-ffff-ffff-ffff-fffffffffffg', 36],
    ['01a1f640c-100-7238-bf25-e36c293b01aa', 36],
    ['01a1f640-c100-7238-bf25+e36c293b01aa', 36],
    ['01a1f640-c100-7238-bf25-e36c293b01aé', 36],
    ['------------------------------------', 36],
  ])('a session or visitor id comes back as it was: %s', (id, size) => {
    const packed = packId(id);
    expect(packed.length).toBe(size);
    expect(unpackId(packed)).toBe(id);
  });
});
