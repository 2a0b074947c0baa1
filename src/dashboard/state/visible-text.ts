/** Characters that turn the direction of the text after them, so that it reads as another one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text of a sender in which such characters are marks: `/a[U+202E]b`. */
export function toVisibleText(text: string): string {
  return text.replace(TURNS, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase()}]`);
}
