import { t } from 'elysia';
import { websiteId } from '../access/website-guard.ts';

export const ImportId = t.NoValidate(
  t.Object({ ...websiteId, importId: t.String({ description: 'id of the import.' }) }),
);
