import { t } from 'elysia';
import { ERROR_STATUS, type ErrorCode } from '../vocabulary/contract.ts';
import { choice } from './types.ts';

/** The error body of every response that is not a success. */
export const ErrorBody = t.Object(
  {
    error: choice(Object.keys(ERROR_STATUS) as ErrorCode[], {
      description: 'A code for machines.',
    }),
    message: t.String({ description: 'A sentence for people.' }),
    details: t.Optional(
      t.Object(
        {
          formErrors: t.Array(t.String(), { description: 'Faults of the input as a whole.' }),
          fieldErrors: t.Record(t.String(), t.Array(t.String()), {
            description: 'Faults by field: the name of the field and what is wrong with it.',
          }),
        },
        { description: 'Present on every VALIDATION_ERROR, and on a CONFLICT about a name.' },
      ),
    ),
  },
  { title: 'Error', description: 'Why the request was refused.' },
);
export type ErrorBody = typeof ErrorBody.static;

/** Responses of a route for OpenAPI: the error body for each of the listed codes. */
export function failures<const Code extends ErrorCode>(...codes: Code[]) {
  const entries = codes.map((code) => [ERROR_STATUS[code], ErrorBody] as const);
  // Keys are exactly the statuses of the given codes.
  return Object.fromEntries(entries) as { [C in Code as (typeof ERROR_STATUS)[C]]: typeof ErrorBody };
}
