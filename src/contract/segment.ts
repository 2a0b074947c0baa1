import { t } from 'elysia';
import { SEGMENTS_MAX } from '../vocabulary/contract.ts';
import { integer, nameOf, timestamps } from './types.ts';

const name = nameOf('What the segment is called; once a website. Trimmed.', 'Readers from Germany');
const filters = t.Array(t.Any(), {
  minItems: 1,
  description: 'Conditions as questions have them, all of which must hold; none on a segment.',
  examples: [[['is', 'country', ['DE']]]],
});
const isOwn = t.Boolean({
  description: 'Visible only to its creator; otherwise to everyone who manages the website. Default: false.',
});
const isPublic = t.Boolean({
  description:
    'Whether the public may filter by it, while the website is public; never by a personal one. Default: false.',
});

/** POST /websites/:id/segments. */
export const SegmentInput = t.Object(
  { name, filters, isOwn: t.Optional(isOwn), isPublic: t.Optional(isPublic) },
  { additionalProperties: true },
);
export type SegmentInput = typeof SegmentInput.static;

/** PATCH /websites/:id/segments/:segmentId. Absent fields stay. */
export const SegmentUpdate = t.Object(
  {
    name: t.Optional(name),
    filters: t.Optional(filters),
    isOwn: t.Optional(isOwn),
    isPublic: t.Optional(isPublic),
  },
  { additionalProperties: true },
);
export type SegmentUpdate = typeof SegmentUpdate.static;

const nameFields = {
  id: t.String({ description: 'Opaque identifier, as filters name it.' }),
  name: t.String({ description: 'What it is called.', examples: ['Readers from Germany'] }),
};

export const SavedSegment = t.Object(
  {
    ...nameFields,
    filters,
    isOwn,
    isPublic,
    faults: t.Array(t.String(), {
      description: 'Why it cannot be asked any more: a goal of it was deleted.',
    }),
    ...timestamps,
  },
  { title: 'Segment', description: 'Saved filters.' },
);
export type SavedSegment = typeof SavedSegment.static;

export const SegmentList = t.Object(
  {
    segments: t.Array(SavedSegment, { description: 'By name.' }),
    total: integer({ minimum: 0, maximum: SEGMENTS_MAX, description: 'How many there are.' }),
  },
  { description: 'The segments of a website, and your own.' },
);

/** GET /websites/:id/profile/segments */
export const SegmentNames = t.Object(
  { segments: t.Array(t.Object(nameFields, { title: 'SegmentName' }), { description: 'By name.' }) },
  { description: 'What filters of this caller may name.' },
);
export type SegmentNames = typeof SegmentNames.static;
