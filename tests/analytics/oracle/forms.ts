import { domainToUnicode } from 'node:url';
import type { Dimension } from '../../../src/vocabulary/analytics.ts';

/** Pages and hosts as people read them, and texts as they are stored. */

const HEX = '0123456789abcdefABCDEF';
const ESCAPE_LENGTH = 3;

/**
 * With every escape that is valid UTF-8 decoded, but for % / ? #, control characters and format characters; the others in
 * upper case.
 */
export function toReadablePage(path: string): string {
  const characters = [...decode(path)];
  return characters
    .map((character, index) => {
      const isJoiner = character === '\u200c' || character === '\u200d';
      const isText = isJoiner && joins(characters[index - 1]) && joins(characters[index + 1], true);
      return /\p{Cf}/u.test(character) && !isText ? encodeURIComponent(character) : character;
    })
    .join('');
}

function joins(character = '', isAfter = false): boolean {
  if (/\p{Emoji_Modifier}/u.test(character)) return !isAfter;
  return /\p{L}|\p{M}|\p{Extended_Pictographic}/u.test(character);
}

function decode(path: string): string {
  let page = '';
  for (let at = 0; at < path.length; ) {
    const character = decodeAt(path, at);
    if (character && !/[%/?#\p{Cc}]/u.test(character.text)) {
      page += character.text;
      at += character.length;
    } else if (isEscape(path, at)) {
      page += path.slice(at, at + ESCAPE_LENGTH).toUpperCase();
      at += ESCAPE_LENGTH;
    } else {
      page += path[at];
      at += 1;
    }
  }
  return page;
}

/** The one character that one to four escapes stand for. */
function decodeAt(path: string, at: number): { text: string; length: number } | undefined {
  for (let count = 1; count <= 4 && isEscape(path, at + (count - 1) * ESCAPE_LENGTH); count += 1) {
    const length = count * ESCAPE_LENGTH;
    const bytes = Uint8Array.from({ length: count }, (_, index) =>
      Number.parseInt(path.slice(at + index * ESCAPE_LENGTH + 1, at + (index + 1) * ESCAPE_LENGTH), 16),
    );
    const text = tryToDecode(bytes);
    if (text !== undefined) return { text, length };
  }
  return undefined;
}

function tryToDecode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isEscape(path: string, at: number): boolean {
  const [sign = '', high = '', low = ''] = path.slice(at, at + ESCAPE_LENGTH);
  return sign === '%' && high !== '' && HEX.includes(high) && low !== '' && HEX.includes(low);
}

/** In Unicode when each of its labels is valid. */
export function toReadableHost(host: string): string {
  const unicode = domainToUnicode(host);
  const isSame = unicode !== '' && URL.parse(`http://${unicode}`)?.hostname === host.toLowerCase();
  return isSame ? unicode : host;
}

/** Forms of a text in a question: the text itself, and the same as people read it; cut unless it is a pattern. */
export function formsOf(text: string, dimension: Dimension, isPattern = false): string[] {
  const forms = readableForms(text, dimension);
  return isPattern ? forms : forms.map((form) => (form.length > 255 ? toText(form) : form));
}

function readableForms(text: string, dimension: Dimension): string[] {
  if (['page', 'entryPage', 'exitPage'].includes(dimension)) return [text, toReadablePage(text)];
  if (['hostname', 'referrer', 'source'].includes(dimension)) return [text, toReadableHost(text)];
  if (dimension === 'utmMedium') return [text, text.toLowerCase()];
  return [text];
}

/** As texts of the dictionary are: of 255 units at most, without U+0000 and lone surrogates. */
export function toText(text: string): string {
  return text.slice(0, 255).replaceAll('\0', '\ufffd').toWellFormed();
}
