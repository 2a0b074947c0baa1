import { customType } from 'drizzle-orm/sqlite-core';
import { packId, unpackId } from './packed-id.ts';

/** Column types of the schema. They stand apart because the thread of the statistics does without Drizzle's 8 MiB. */

/** A column of packed ids. Declared without a type, because it holds text and blobs. */
export const packedId = customType<{ data: string; driverData: string | Buffer }>({
  dataType: () => 'blob',
  toDriver: packId,
  fromDriver: unpackId,
});

/** The column of the packed bytes. Declared as text, because it held nothing else at first. */
export const packedBrowser = customType<{
  data: string | Uint8Array;
  driverData: string | Uint8Array | ArrayBuffer;
}>({
  dataType: () => 'text',
  fromDriver: (stored) => (stored instanceof ArrayBuffer ? new Uint8Array(stored) : stored),
});
