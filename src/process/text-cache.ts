type Options<Value> = { bytesMax: number; bytesOf?: (value: Value) => number };

/** Approximate size of an entry without its text and value. */
const ENTRY_BYTES = 200;

/**
 * Keeps what was made from texts, up to a number of bytes; what was used the longest ago goes first. An exception is not
 * kept.
 */
export function createTextCache<Value>(
  make: (text: string) => Value,
  { bytesMax, bytesOf = () => 0 }: Options<Value>,
): (text: string) => Value {
  const kept = new Map<string, Value>();
  let bytes = 0;
  const sizeOf = (text: string, value: Value) => ENTRY_BYTES + 2 * text.length + bytesOf(value);

  return (text) => {
    const isKnown = kept.has(text);
    const value = isKnown ? (kept.get(text) as Value) : make(text);
    kept.delete(text);
    kept.set(text, value); // the last one of the map is the one used last
    if (isKnown) return value;
    bytes += sizeOf(text, value);
    for (const [oldest, old] of kept) {
      if (bytes <= bytesMax) break;
      kept.delete(oldest);
      bytes -= sizeOf(oldest, old);
    }
    return value;
  };
}
