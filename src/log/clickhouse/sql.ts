/** A piece of a statement. Values that are put into one are quoted; only other pieces go in as they are. */
export type Sql = { readonly text: string };
export type SqlValue = Sql | string | number | readonly SqlValue[];

/** `sql\`created_at_ms >= ${fromMs} AND page = ${page}\``. A list becomes an array, `[1, 2]`. */
export function sql(strings: TemplateStringsArray, ...values: readonly SqlValue[]): Sql {
  return { text: strings.reduce((text, part, index) => text + quote(values[index - 1] as SqlValue) + part) }; // one between two parts
}

/** Pieces with a text of ours between them. */
export function join(pieces: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' | ' '): Sql {
  return { text: pieces.map(({ text }) => text).join(separator) };
}

/**
 * Names the elements of a tuple: `fieldsOf(sql\`e\`, ['at', 'key'])` is `{ at: e.1, key: e.2 }`. Names that ClickHouse
 * gives to the elements would be lost in its array functions.
 */
export function fieldsOf<Name extends string>(tuple: Sql, names: readonly Name[]): Record<Name, Sql> {
  const fields = names.map((name, index) => [name, sql`${tuple}.${index + 1}`] as const);
  return Object.fromEntries(fields) as Record<Name, Sql>; // each name is a key
}

/** Joins conditions with AND; returns 1 without any. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : sql`(${join(conditions, ' AND ')})`;
}

/** Joins conditions with OR; returns 0 without any. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`0` : sql`(${join(conditions, ' OR ')})`;
}

/** Whether an expression equals one of the values. */
export function isOneOf(expression: Sql, values: readonly (string | number)[]): Sql {
  if (values.length === 0) return sql`0`;
  return sql`${expression} IN (${join(
    values.map((value) => sql`${value}`),
    ', ',
  )})`;
}

function quote(value: SqlValue): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return quoteNumber(value);
  if ('text' in value) return value.text;
  return `[${value.map(quote).join(', ')}]`;
}

/** In brackets, so that a minus never meets another one. A range without an end has the last number there is. */
function quoteNumber(value: number): string {
  const whole = Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  if (!Number.isSafeInteger(whole)) throw new Error(`${value} is not a whole number.`);
  return whole < 0 ? `(${whole})` : String(whole);
}

const ESCAPED = /[\\'\0]/g;

function quoteText(text: string): string {
  return `'${text.toWellFormed().replace(ESCAPED, (sign) => (sign === '\0' ? '\\0' : `\\${sign}`))}'`;
}
