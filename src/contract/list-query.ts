import { t } from 'elysia';
import { LIST_ROWS_MAX, OFFSET_MAX } from '../vocabulary/contract.ts';
import { choice, integerText } from './types.ts';

/** Parameters of a list that is returned whole unless a page is requested. */
export const pageFields = {
  limit: t.Optional(
    integerText({ minimum: 1, description: `Default: all. Above ${LIST_ROWS_MAX} means ${LIST_ROWS_MAX}.` }),
  ),
  offset: t.Optional(
    integerText({ minimum: 0, description: `Default 0; above ${OFFSET_MAX} means ${OFFSET_MAX}.` }),
  ),
};

export const ListQuery = t.Object(pageFields, { additionalProperties: true });

export const ArchivedListQuery = t.Object(
  {
    archived: t.Optional(choice(['true', 'false'], { description: 'true: archived ones as well.' })),
    ...pageFields,
  },
  { additionalProperties: true },
);
