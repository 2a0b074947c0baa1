import { anyOf, isOneOf, type Sql, sql } from '../../log/clickhouse/sql.ts';
import type { Filter } from '../analytics.ts';
import { formsOf } from '../derive/forms.ts';

/** Whether a text passes a leaf of a filter; the empty text stands for absent. */
export function testText(text: Sql, { dimension, operator, values }: Filter & { op: 'match' }): Sql {
  // Half a surrogate pair is in no text that is stored.
  const forms = values.flatMap((value) => formsOf(dimension, value)).filter((form) => form.isWellFormed());
  switch (operator) {
    case 'is':
      return isOneOf(text, forms);
    case 'is_not':
      return sql`NOT ${isOneOf(text, forms)}`;
    case 'contains':
      return containsOneOf(text, forms);
    case 'contains_not':
      return sql`NOT ${containsOneOf(text, forms)}`;
    case 'starts_with':
      return anyOf(lower(forms).map((form) => sql`startsWith(lowerUTF8(${text}), ${form})`));
    case 'ends_with':
      return anyOf(lower(forms).map((form) => sql`endsWith(lowerUTF8(${text}), ${form})`));
    case 'like':
      return matchesOneOf(text, forms.map(toExpression));
    case 'like_not':
      return sql`NOT ${matchesOneOf(text, forms.map(toExpression))}`;
    // Ours mean the same to RE2.
    case 'matches':
      return matchesOneOf(text, forms);
    case 'matches_not':
      return sql`NOT ${matchesOneOf(text, forms)}`;
  }
}

export function containsOneOf(text: Sql, forms: readonly string[]): Sql {
  return anyOf(
    lower(forms).map((form) => (form === '' ? sql`1` : sql`position(lowerUTF8(${text}), ${form}) > 0`)),
  );
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

function matchesOneOf(text: Sql, expressions: readonly string[]): Sql {
  return anyOf(expressions.map((expression) => sql`match(${text}, ${expression})`));
}

/** `*` stands for any text without a slash, `**` for any text. */
function toExpression(pattern: string): string {
  const parts = [...pattern.matchAll(/\*+|[^*]+/g)].map(([part]) => {
    if (!part.startsWith('*')) return part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
    return part.length > 1 ? '(?s:.*)' : '[^/]*';
  });
  return `\\A${parts.join('')}\\z`;
}

/** In the order of UTF-16 units, as texts compare in JavaScript: characters beyond U+FFFF come before those from U+E000. */
export function inOrder(text: Sql): Sql {
  return sql`replaceAll(replaceAll(${text}, ${{ text: "'\\xEE'" }}, ${{ text: "'\\xF5'" }}), ${{ text: "'\\xEF'" }}, ${{ text: "'\\xF6'" }})`;
}
