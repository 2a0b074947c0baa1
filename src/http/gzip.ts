import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../vocabulary/errors.ts';
import { payloadTooLargeError, unreadableBodyError } from './body-faults.ts';

const gunzipAsync = promisify(gunzip);

/** How a body is encoded. @throws AppError UNSUPPORTED_MEDIA_TYPE for what is not gzip (RFC 9110, 15.5.16) */
export function readEncoding(headers: Headers): 'identity' | 'gzip' {
  const given = headers.get('content-encoding');
  if (given === null) return 'identity';
  const encoding = given.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip or identity', {
    headers: { 'Accept-Encoding': 'gzip' },
  });
}

/** @throws AppError PAYLOAD_TOO_LARGE as soon as there is more than `bytesMax`; VALIDATION_ERROR for what is not gzip */
export async function unpack(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  if (bytes.byteLength === 0) return bytes;
  try {
    return await gunzipAsync(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    throw isTooLong(error) ? payloadTooLargeError(bytesMax) : unreadableBodyError('gzip');
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
