import { detach } from '../../../process/garbage.ts';
import { encodeArrays, openArrays } from './codec.ts';

/** One property key in a segment: the events that have it, ascending, and their values. */
export type SegmentProperty = {
  /** Index of the event. */
  events: Uint16Array;
  /** Local code of the value. */
  values: Uint16Array;
  /** 1 where the value was a JSON number. */
  numeric: Uint8Array;
  /** Local code → the website's code of the value, in the dictionary of this key; 0 is absent. */
  codes: Uint32Array;
};
/** Properties by the website's code of the key. */
export type SegmentProperties = ReadonlyMap<number, SegmentProperty>;

const ARRAYS = 4;

/** Encodes properties. Layout: the codes of the keys, then the four arrays of each. */
export function encodeProperties(properties: SegmentProperties): Uint8Array {
  const arrays: ArrayBufferView[] = [Uint32Array.from(properties.keys())];
  for (const { events, values, numeric, codes } of properties.values())
    arrays.push(events, values, numeric, codes);
  return encodeArrays(arrays);
}

export function decodeProperties(blob: Uint8Array | ArrayBuffer): SegmentProperties {
  const stored = openArrays(blob);
  const properties = new Map<number, SegmentProperty>();
  new Uint32Array(stored.bytes(0)).forEach((key, index) => {
    const at = 1 + index * ARRAYS;
    properties.set(key, {
      events: new Uint16Array(stored.bytes(at)),
      values: new Uint16Array(stored.bytes(at + 1)),
      numeric: new Uint8Array(stored.bytes(at + 2)),
      codes: new Uint32Array(stored.bytes(at + 3)),
    });
  });
  stored.close();
  return properties;
}

export function releaseProperties(properties: SegmentProperties): void {
  for (const property of properties.values()) for (const column of Object.values(property)) detach(column);
}

/** Approximate memory of a property besides its rows: four arrays with buffers of their own. */
const PROPERTY_BYTES = 1_800;

export function propertiesBytes(properties: SegmentProperties): number {
  let bytes = PROPERTY_BYTES * properties.size;
  for (const { events, values, numeric, codes } of properties.values())
    bytes += events.byteLength + values.byteLength + numeric.byteLength + codes.byteLength;
  return bytes;
}
