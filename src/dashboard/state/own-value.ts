/**
 * Returns the value that an object has under a name from outside: an event, an address, an answer. Asked directly, an
 * object also answers for `constructor` and `toString`, which every object inherits.
 */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}
