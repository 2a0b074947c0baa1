/** Why a text is not a pattern: a sentence without its full stop. */
export class PatternError extends Error {}

/** Reads the characters of a pattern one by one. */
export class Cursor {
  readonly #characters: readonly string[];
  #at: number;

  constructor(pattern: string, at: number) {
    this.#characters = [...pattern];
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** Returns the next character, or one further ahead; undefined past the end. */
  peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead];
  }

  take(): string {
    const character = this.#characters[this.#at] ?? '';
    this.#at += 1;
    return character;
  }

  /** Skips the next characters if they are these. */
  skip(characters: string): boolean {
    const isNext = [...characters].every((character, index) => this.peek(index) === character);
    if (isNext) this.#at += characters.length;
    return isNext;
  }

  /** Matches the next characters with an expression that begins with ^, without skipping them. */
  match(expression: RegExp, lengthMax: number): RegExpExecArray | null {
    return expression.exec(this.#characters.slice(this.#at, this.#at + lengthMax).join(''));
  }

  fault(sentence: string): PatternError {
    return new PatternError(`${sentence}, at character ${this.#at + 1}`);
  }
}
