/** Why a text is not a pattern: a sentence without its full stop. */
export class PatternError extends Error {}

/** Reads the characters of a pattern one after the other. */
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

  /** The next character, or one further on; undefined past the end. */
  peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead];
  }

  take(): string {
    const character = this.#characters[this.#at] ?? '';
    this.#at += 1;
    return character;
  }

  /** Passes the characters that come next if they are these. */
  skip(characters: string): boolean {
    const isNext = [...characters].every((character, index) => this.peek(index) === character);
    if (isNext) this.#at += characters.length;
    return isNext;
  }

  /** Matches an expression that begins with ^ with the next characters, without passing them. */
  match(expression: RegExp, lengthMax: number): RegExpExecArray | null {
    return expression.exec(this.#characters.slice(this.#at, this.#at + lengthMax).join(''));
  }

  fault(sentence: string): PatternError {
    return new PatternError(`${sentence}, at character ${this.#at + 1}`);
  }
}
