/** A stream of pseudo-random numbers, always the same for the same seed. Not for secrets. */
export type Random = {
  /** 0 to 2^32 - 1 */
  word(): number;
  /** [0, 1) */
  next(): number;
  /** A whole number in [0, bound). */
  below(bound: number): number;
  chance(probability: number): boolean;
  /** Log-normal: half of the draws are below `median`; `spread` is the deviation of the logarithm. */
  around(median: number, spread: number): number;
};

const WORDS = 4_294_967_296;

/** sfc32 (PractRand): four 32-bit words of state, fast in JavaScript and without known flaws. */
export function createRandom(seed: number): Random {
  let a = mix(seed, 1);
  let b = mix(seed, 2);
  let c = mix(seed, 3);
  let counter = 1;

  return { word, next, below, chance, around };

  function word(): number {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11) | 0) + result) | 0;
    return result >>> 0;
  }

  function next(): number {
    return word() / WORDS;
  }

  function below(bound: number): number {
    return Math.floor(next() * bound);
  }

  function chance(probability: number): boolean {
    return next() < probability;
  }

  function around(median: number, spread: number): number {
    // Box-Muller; 1 - next() is never 0.
    const deviation = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return median * Math.exp(spread * deviation);
  }
}

/** A well spread 32-bit number from two: gives each numbered thing properties of its own (murmur3's finish). */
export function mix(value: number, salt: number): number {
  let hash = (value ^ Math.imul(salt, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `mix` as a number in [0, 1). */
export function mixToUnit(value: number, salt: number): number {
  return mix(value, salt) / WORDS;
}
