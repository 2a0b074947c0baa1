const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Session and visitor ids are any text up to 128 characters, but most are UUIDs. A lower-case UUID is stored as
 * its 16 bytes instead of 36 characters (a fifth of a typical row), any other text as it is; the storage class
 * distinguishes them, so unpacking is exact.
 */
export function packId(id: string): string | Buffer {
  return (id.length === UUID_LENGTH && lowerUuidToBytes(id)) || id;
}

export function unpackId(stored: string | ArrayBuffer | Uint8Array): string {
  return typeof stored === 'string' ? stored : bytesToUuid(stored);
}

/** Value of a hexadecimal digit by its character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});
const UUID_LENGTH = 36;
const UUID_BYTES = 16;
const HYPHEN = 45;
/** Value of each lower-case hexadecimal digit; `NO_DIGIT` for every other character. */
const NO_DIGIT = 128;
const LOWER_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});

/** Looks and reads in one go: 0.05 µs less for each id than a regular expression before it. */
function lowerUuidToBytes(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(UUID_BYTES);
  let position = 0;
  let seen = 0;
  for (let index = 0; index < UUID_BYTES; index += 1) {
    if (position === 8 || position === 13 || position === 18 || position === 23) {
      if (text.charCodeAt(position) !== HYPHEN) return undefined;
      position += 1;
    }
    const high = LOWER_DIGITS[text.charCodeAt(position)] ?? NO_DIGIT;
    const low = LOWER_DIGITS[text.charCodeAt(position + 1)] ?? NO_DIGIT;
    seen |= high | low;
    bytes[index] = (high << 4) | low;
    position += 2;
  }
  return seen < NO_DIGIT ? bytes : undefined;
}

/**
 * Digit by digit, because three ids of every event pass here: 0.08 µs, with `Buffer.from(…, 'hex')` 0.25.
 *
 * @param uuid 36 characters, any case
 */
export function uuidToBytes(uuid: string): Buffer {
  const bytes = Buffer.allocUnsafe(UUID_BYTES);
  let position = 0;
  for (let index = 0; index < UUID_BYTES; index += 1) {
    if (uuid.charCodeAt(position) === HYPHEN) position += 1;
    bytes[index] = (digitAt(uuid, position) << 4) | digitAt(uuid, position + 1);
    position += 2;
  }
  return bytes;
}

function digitAt(text: string, position: number): number {
  return DIGITS[text.charCodeAt(position)] ?? 0;
}

export function bytesToUuid(bytes: ArrayBuffer | Uint8Array): string {
  const hex = Buffer.from(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text has the form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text.toLowerCase());
}
