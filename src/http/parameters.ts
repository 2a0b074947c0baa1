import { validationError } from '../vocabulary/errors.ts';

/**
 * Reads the parameters of a query one by one and gathers what is wrong with them. Unknown ones are ignored, and an empty
 * one counts as absent (D59).
 */
export type Parameters = {
  /** Undefined when absent or faulty. */
  text(name: string, lengthMax: number): string | undefined;
  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** Reads an integer and clamps it to its bounds. */
  integer(name: string, bounds: { min: number; max: number; absent: number }): number;
  flag(name: string): boolean;
  fault(name: string, ...sentences: string[]): void;
  /** @throws AppError VALIDATION_ERROR that names each faulty parameter */
  finish(): void;
};

/** @param url read here once more, because Elysia keeps one of the values that a name is given */
export function createParameters(url: string): Parameters {
  const start = url.indexOf('?');
  return readParameters(
    new URLSearchParams(start === -1 ? '' : url.slice(start)),
    'Invalid query parameters',
  );
}

/** @param message of the refusal */
export function readParameters(query: URLSearchParams, message: string): Parameters {
  const faults = new Map<string, string[]>();

  function text(name: string, lengthMax: number): string | undefined {
    const [value, ...more] = query.getAll(name).filter((given) => given !== '');
    if (value === undefined) return undefined;
    if (more.length > 0) return fault(name, 'Must be given once');
    if (value.length > lengthMax) return fault(name, `Must be at most ${lengthMax} characters`);
    return value;
  }

  function choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = text(name, CHOICE_LENGTH_MAX);
    if (value === undefined) return undefined;
    return (
      values.find((candidate) => candidate === value) ?? fault(name, `Must be one of: ${values.join(', ')}`)
    );
  }

  function integer(name: string, { min, max, absent }: { min: number; max: number; absent: number }): number {
    const value = text(name, CHOICE_LENGTH_MAX);
    if (value === undefined) return absent;
    if (/^\d+$/.test(value) && Number(value) >= min) return Math.min(Number(value), max);
    fault(name, `Must be a whole number from ${min}`);
    return absent;
  }

  function fault(name: string, ...sentences: string[]): undefined {
    faults.set(name, [...new Set([...(faults.get(name) ?? []), ...sentences])]); // once, though it may be read twice
  }

  function finish(): void {
    if (faults.size > 0) throw validationError(message, Object.fromEntries(faults));
  }

  return { text, choice, integer, flag: (name) => choice(name, ['true', 'false']) === 'true', fault, finish };
}

const CHOICE_LENGTH_MAX = 100;
