/** Assigns local codes to the website's codes. */
export class LocalCodes {
  readonly codes: number[] = [0];
  readonly #local = new Map<number, number>([[0, 0]]);

  place(code: number): number {
    const known = this.#local.get(code);
    if (known !== undefined) return known;
    const local = this.codes.length;
    this.codes.push(code);
    this.#local.set(code, local);
    return local;
  }
}
