import { t } from 'elysia';
import {
  IMPORT_STATES,
  REJECTED_ROWS_MAX,
  UPLOAD_BYTES_MAX,
  UPLOAD_PART_BYTES_MAX,
} from '../vocabulary/contract.ts';
import { IMPORT_FORMAT_NAMES } from '../vocabulary/import-formats.ts';
import { choice, count, instant, integer, integerText, opaqueId, PLAIN, timestamps } from './types.ts';

const orNull = <Schema extends ReturnType<typeof instant>>(schema: Schema) => t.Union([schema, t.Null()]);
const text = (description: string) => t.String({ description });
const some = (description: string) => integer({ minimum: 1, description });
const reasons = (description: string) =>
  t.Array(t.Object({ reason: text('A sentence.'), count: some('How many rows.') }), { description });

const OPTION_LENGTH_MAX = 255;
const HOSTS_MAX = 100;
const optionText = (description: string, example: string) =>
  t.String({ ...PLAIN, minLength: 1, maxLength: OPTION_LENGTH_MAX, description, examples: [example] });

export const ImportOptions = t.Object(
  {
    format: t.Optional(
      choice(IMPORT_FORMAT_NAMES, { description: 'Name of the format; absent: it is recognised.' }),
    ),
    timezone: t.Optional(optionText('Zone of times that name none; absent: UTC.', 'Europe/Berlin')),
    hosts: t.Optional(
      t.Array(optionText('A host.', 'example.com'), {
        maxItems: HOSTS_MAX,
        description: 'Take pages of these hosts alone; absent or empty: of all.',
      }),
    ),
  },
  {
    title: 'ImportOptions',
    description: 'How to read a file. What is absent is as if it had never been given.',
  },
);
export type ImportOptions = typeof ImportOptions.static;

export const ImportInput = t.Composite(
  [
    t.Object({
      name: optionText('Name of the file, for people.', 'umami.zip'),
      sizeBytes: integer({
        minimum: 1,
        maximum: UPLOAD_BYTES_MAX,
        description: 'Size of the file, up to 2 GiB.',
        examples: [1_048_576],
      }),
    }),
    ImportOptions,
  ],
  { title: 'ImportInput', description: 'A file to upload, and how to read it.' },
);
export type ImportInput = typeof ImportInput.static;

export const UploadQuery = t.Object({
  offset: integerText({
    minimum: 0,
    description: `Bytes of the file that come before this part, which are those that were received. A part has up to ${UPLOAD_PART_BYTES_MAX} bytes.`,
  }),
});

export const DryRun = t.Object(
  {
    format: t.String({ description: 'Name of the format.', examples: ['umami'] }),
    title: t.String({ description: 'The format for people.', examples: ['Umami CSV'] }),
    files: count('Files of this format.'),
    ignored: t.Array(text('A name.'), {
      description: 'Names of files of a zip that are not of this format.',
    }),
    rows: count('Rows that were read.'),
    accepted: count('Rows that are events.'),
    rejected: count('Rows that cannot be imported.'),
    leftOut: reasons('Rows that are left out on purpose, by reason.'),
    reasons: reasons('Rejected rows by reason, the most frequent first.'),
    rejectedRows: t.Array(
      t.Object({
        file: text('Name of its file.'),
        line: integer({ minimum: 0, description: 'Its line, from 1.' }),
        reason: text('What is wrong with it.'),
      }),
      {
        description: `The first ${REJECTED_ROWS_MAX} rejected rows.`,
      },
    ),
    from: orNull(instant('The first event; null without any.')),
    to: orNull(instant('The last event; null without any.')),
    days: count('UTC days with events.'),
    hosts: t.Array(
      t.Object({
        host: text('A host, with its port.'),
        count: some('Events of its pages.'),
        otherWebsite: t.Union([t.String(), t.Null()], {
          description: 'URL of another website of yours with this host.',
        }),
      }),
      {
        description:
          'Hosts of the pages. All go to this website; `otherWebsite` is another of yours with this host.',
      },
    ),
    duplicates: count('Events that are stored already, and will not be added.'),
    columns: t.Array(
      t.Object({
        column: text('Its name in the file.'),
        field: t.Union([t.String(), t.Null()], { description: 'Field of an event.' }),
      }),
      {
        description: 'Columns of the file and the field that each becomes; null: it is not imported.',
      },
    ),
    estimatedBytes: count('About how much space the import takes.'),
    estimatedSeconds: count('About how long the import takes.'),
  },
  { title: 'DryRun', description: 'What an import would add.' },
);
export type DryRun = typeof DryRun.static;

export const Import = t.Object(
  {
    id: opaqueId,
    format: t.String({
      description: 'Name of the format of its files; empty until an uploaded file was read.',
      examples: ['umami'],
    }),
    source: t.String({ description: 'Names of its files.', examples: ['umami.csv'] }),
    state: choice(IMPORT_STATES, {
      description:
        'An uploaded file is uploading, reading (the dry run), ready to start, running, and done; or failed, with the reason in `error`. An import by a command is running, or interrupted, and done. undoing: its events are being removed; afterwards the import is gone.',
    }),
    rows: integer({ minimum: 0, description: 'Rows that were read so far.' }),
    accepted: integer({ minimum: 0, description: 'Rows that are events.' }),
    rejected: integer({ minimum: 0, description: 'Rows that cannot be imported.', examples: [0] }),
    added: t.Union([integer({ minimum: 0 }), t.Null()], {
      description: 'Events that it added; null until it is done. The others were stored before.',
    }),
    from: orNull(instant('Its first event; null without any.')),
    to: orNull(instant('Its last event; null without any.')),
    error: t.Union([t.String(), t.Null()], {
      description: 'Why it failed, or why it waits to be tried again; null otherwise.',
    }),
    ...timestamps,
  },
  { title: 'Import', description: 'History that was added from files.' },
);
export type Import = typeof Import.static;

export const ImportDetails = t.Composite(
  [
    Import,
    t.Object({
      sizeBytes: t.Union([integer({ minimum: 1 }), t.Null()], {
        description: 'Size of the uploaded file; null for an import by a command.',
      }),
      receivedBytes: t.Union([count('Where the upload continues.'), t.Null()], {
        description: 'Bytes of the file that were received; null when the file is not kept.',
      }),
      options: ImportOptions,
      dryRun: t.Union([DryRun, t.Null()], {
        description: 'What it would add, or has added; null until it was read.',
      }),
    }),
  ],
  { title: 'ImportDetails', description: 'An import with its file and its dry run.' },
);
export type ImportDetails = typeof ImportDetails.static;

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
