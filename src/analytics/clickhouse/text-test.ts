import { anyOf, isOneOf, type Sql, sql } from '../../log/clickhouse/sql.ts';
import { isLikePattern } from '../../vocabulary/analytics.ts';
import { formsOf, patternFormsOf } from '../derive/forms.ts';
import type { Filter } from '../interface/selection.ts';

/**
 * Maximum texts searched one by one: 3 searches of 3 million texts took 105 ms one by one and 257 as a list, 200 took 1,829
 * and 571.
 */
const FEW = 8;
/** Maximum needles of `multiSearchAny`. */
const NEEDLES_MAX = 255;

/** Returns whether a text passes a leaf of a filter. The empty text stands for absent. */
export function testText(asIs: Sql, filter: Filter & { op: 'match' }): Sql {
  const { dimension, operator, values, ignoresCase } = filter;
  const toForms = isLikePattern(operator) ? patternFormsOf : formsOf;
  // Stored texts contain no lone surrogates.
  const given = values.flatMap((value) => toForms(dimension, value)).filter((form) => form.isWellFormed());
  const text = ignoresCase ? sql`lowerUTF8(${asIs})` : asIs;
  const forms = ignoresCase ? lower(given) : given;
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
    // Patterns have the same meaning in RE2.
    case 'matches':
      return matchesOneOf(text, forms);
    case 'matches_not':
      return sql`NOT ${matchesOneOf(text, forms)}`;
  }
}

/**
 * Searches one by one are faster for a few texts. A list is planned as one expression, whereas planning 10,000 searches
 * takes 24 s.
 */
export function containsOneOf(text: Sql, forms: readonly string[]): Sql {
  if (forms.includes('')) return sql`1`;
  const parts = lower(forms);
  if (parts.length <= FEW) return anyOf(parts.map((part) => sql`position(lowerUTF8(${text}), ${part}) > 0`));
  const lists = Array.from({ length: Math.ceil(parts.length / NEEDLES_MAX) }, (_, index) =>
    parts.slice(index * NEEDLES_MAX, (index + 1) * NEEDLES_MAX),
  );
  return anyOf(lists.map((list) => sql`multiSearchAny(lowerUTF8(${text}), ${list})`));
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

function matchesOneOf(text: Sql, expressions: readonly string[]): Sql {
  return anyOf(expressions.map((expression) => sql`match(${text}, ${expression})`));
}

/** Converts a wildcard pattern: `*` matches any text without a slash, `**` any text. */
function toExpression(pattern: string): string {
  const parts = [...pattern.matchAll(/\*+|[^*]+/g)].map(([part]) => {
    if (!part.startsWith('*')) return part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
    return part.length > 1 ? '(?s:.*)' : '[^/]*';
  });
  return `\\A${parts.join('')}\\z`;
}

/** Orders by UTF-16 units, as JavaScript compares texts: characters beyond U+FFFF precede those from U+E000. */
export function inOrder(text: Sql): Sql {
  const raised = sql`replaceAll(${text}, ${{ text: "'\\xEE'" }}, ${{ text: "'\\xF5'" }})`;
  return sql`replaceAll(${raised}, ${{ text: "'\\xEF'" }}, ${{ text: "'\\xF6'" }})`;
}
