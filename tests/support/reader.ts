import { afterAll, beforeAll } from 'bun:test';

/** The tests of a file or of a `describe` read the pages in a browser of this language. */
export function readIn(language: string): void {
  let before: string;
  const set = (value: string) => Object.defineProperty(navigator, 'language', { value, configurable: true });
  beforeAll(() => {
    before = navigator.language;
    set(language);
  });
  afterAll(() => {
    set(before);
  });
}
