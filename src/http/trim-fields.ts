import { bodyFault } from './bodies.ts';

/**
 * Transform hook that trims text fields of a body before it is validated, so that bounds and patterns apply to the stored
 * text. A lone surrogate becomes U+FFFD here, as it would in the database.
 */
export function trimFields(...fields: readonly string[]) {
  return ({ body }: { body: unknown }): void => {
    if (!isFields(body)) return;
    for (const field of fields) {
      const value = Object.hasOwn(body, field) ? body[field] : undefined;
      if (typeof value === 'string') body[field] = value.trim().toWellFormed();
    }
  };
}

/** A transform hook: null in an optional field counts as absent. */
export function nullAsAbsent(field: string) {
  return ({ body }: { body: unknown }): void => {
    if (isFields(body) && body[field] === null) delete body[field];
  };
}

/** A transform hook: no body is an object without fields. An unreadable one stays null, and is refused. */
export function absentAsEmpty(context: { body: unknown; request: Request }): void {
  if (context.body === null && !bodyFault(context.request)) context.body = {};
}

function isFields(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
