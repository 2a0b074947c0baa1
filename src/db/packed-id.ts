import { customType } from 'drizzle-orm/sqlite-core';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Session and visitor ids are any text up to 128 characters, but most are UUIDs. A lower-case UUID is stored as
 * its 16 bytes instead of 36 characters (a fifth of a typical row), any other text as it is; the storage class
 * tells them apart, so the way back is exact.
 */
export function packId(id: string): string | Buffer {
  return id.length === 36 && UUID.test(id) ? uuidToBytes(id) : id;
}

export function unpackId(stored: string | ArrayBuffer | Uint8Array): string {
  return typeof stored === 'string' ? stored : bytesToUuid(stored);
}

/** @param uuid 36 characters, any case */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function bytesToUuid(bytes: ArrayBuffer | Uint8Array): string {
  const hex = Buffer.from(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A column of packed ids. Declared without a type, because it holds text and blobs. */
export const packedId = customType<{ data: string; driverData: string | Buffer }>({
  dataType: () => 'blob',
  toDriver: packId,
  fromDriver: unpackId,
});

/** Whether a text has the form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text.toLowerCase());
}
