import { t } from 'elysia';
import { IMPORT_STATES } from '../vocabulary/contract.ts';
import { choice, instant, integer, opaqueId, timestamps } from './types.ts';

const orNull = <Schema extends ReturnType<typeof instant>>(schema: Schema) => t.Union([schema, t.Null()]);

export const Import = t.Object(
  {
    id: opaqueId,
    format: t.String({ description: 'Name of the format of its files.', examples: ['umami'] }),
    source: t.String({ description: 'Names of its files.', examples: ['umami.csv'] }),
    state: choice(IMPORT_STATES, {
      description:
        'running: at work or interrupted, which the same command continues. undoing: its events are being removed; afterwards the import is gone.',
    }),
    rows: integer({ minimum: 0, description: 'Rows that were read so far.' }),
    accepted: integer({ minimum: 0, description: 'Rows that are events.' }),
    rejected: integer({ minimum: 0, description: 'Rows that cannot be imported.', examples: [0] }),
    added: t.Union([integer({ minimum: 1 }), t.Null()], {
      description: 'Events that it added; null until it is done. The others were stored before.',
    }),
    from: orNull(instant('Its first event; null without any.')),
    to: orNull(instant('Its last event; null without any.')),
    ...timestamps,
  },
  { title: 'Import', description: 'History that was added from files.' },
);
export type Import = typeof Import.static;

export const ImportList = t.Object(
  {
    imports: t.Array(Import, { description: 'In the order in which they began.' }),
    total: integer({ minimum: 0, description: 'How many there are.' }),
  },
  { description: 'The imports of a website.' },
);
export type ImportList = typeof ImportList.static;

export const ImportUndone = t.Object(
  {
    success: t.Literal(true, { description: 'The undo is ordered, and will be finished whatever happens.' }),
    message: t.String({ description: 'A sentence for people.' }),
  },
  { description: 'The import is being undone.' },
);
