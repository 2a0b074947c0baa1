import { discard, giveBack } from '../../garbage.ts';

/** What is kept: 40 MiB, of which a question about a month of a website of a million visitors needs a quarter. */
const KEPT_WORDS_MAX = 10 * 1024 * 1024;
/** 2 MiB. What is longer has a stretch of its own. */
const STRETCH_WORDS = 512 * 1024;
/** Arrays of the next question may be longer by this part. */
const SPARE_SHARE = 1 / 8;
/** A stretch of which so many rounds in turn have used less than this part is let go. */
const IDLE_ROUNDS_MAX = 16;
const IDLE_SHARE = 1 / 4;

type Stretch = { words: Uint32Array<ArrayBuffer>; used: number; idleRounds: number };

/**
 * Memory that is given out in rounds, again and again. It is in stretches, because one that grows is there twice
 * meanwhile: the old one, and the new one that is being filled. An array goes where there is room first, so that the
 * same arrays find the same places in the next round.
 */
export class KeptMemory {
  #stretches: Stretch[] = [];
  #words = 0;

  /** What was given out may be given out again. */
  begin(): void {
    this.#stretches = this.#stretches.filter((stretch) => {
      stretch.idleRounds = stretch.used < stretch.words.length * IDLE_SHARE ? stretch.idleRounds + 1 : 0;
      stretch.used = 0;
      if (stretch.idleRounds <= IDLE_ROUNDS_MAX) return true;
      this.#words -= stretch.words.length;
      giveBack(stretch.words);
      return false;
    });
  }

  /** Gives all of it back. Nothing that was given out is good any more. */
  free(): void {
    for (const { words } of this.#stretches) giveBack(words);
    this.#stretches = [];
    this.#words = 0;
  }

  /** With whatever was left there. Beyond the bound it is memory of its own. */
  take(length: number): Uint32Array<ArrayBuffer> {
    const needed = (length + 1) & ~1; // so that all begin where a longer number may
    const stretch =
      this.#stretches.find(({ words, used }) => used + needed <= words.length) ?? this.#add(needed);
    if (!stretch) {
      discard(length * Uint32Array.BYTES_PER_ELEMENT); // when the round is over
      return new Uint32Array(length);
    }
    const start = stretch.used;
    stretch.used += needed;
    return stretch.words.subarray(start, start + length);
  }

  /** What all stretches take. */
  bytes(): number {
    return this.#words * Uint32Array.BYTES_PER_ELEMENT;
  }

  #add(needed: number): Stretch | undefined {
    const length = Math.max(STRETCH_WORDS, Math.ceil(needed * (1 + SPARE_SHARE)));
    if (this.#words + length > KEPT_WORDS_MAX) return undefined;
    const stretch = { words: new Uint32Array(length), used: 0, idleRounds: 0 };
    this.#stretches.push(stretch);
    this.#words += length;
    return stretch;
  }
}
