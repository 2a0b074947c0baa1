import { readItem, writeItem } from './storage.ts';

/**
 * A UUID of version 7 (RFC 9562, 5.7): its time comes first, so that the server's index of ids grows at the
 * end. By hand, because `crypto.randomUUID` is missing on pages without TLS. 72 of its bits are random.
 */
export const uuid = (): string =>
  `0${Date.now().toString(16)}`.replace(/.{8}/, '$&-') +
  '-7xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    (+crypto.getRandomValues(new Uint8Array(1)) & 15).toString(16),
  );

/** An id that lives as long as what it is stored in. Made when an event needs it: nothing is stored before consent. */
export const keptId = (area: () => Storage, key: string) =>
  readItem(area, key) || writeItem(area, key, uuid());
