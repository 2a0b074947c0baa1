import { t } from 'elysia';
import { ANNOTATION_TEXT_LENGTH_MAX, ANNOTATIONS_MAX } from '../vocabulary/contract.ts';
import { instant, integer, opaqueId, PLAIN, timestamps } from './types.ts';

const at = t.Union([t.String({ maxLength: 64 }), integer()], {
  'x-messages': { type: 'Must be a text or a whole number' },
  description:
    'A day such as 2026-11-20; or an instant: 2026-11-20T13:00 in the website’s time zone, with an offset, or milliseconds since the epoch. Default: now.',
  examples: ['2026-11-20'],
});
const text = t.String({
  ...PLAIN,
  minLength: 1,
  maxLength: ANNOTATION_TEXT_LENGTH_MAX,
  description: 'What happened. Trimmed.',
  examples: ['deploy 1.4'],
});
const isPublic = t.Boolean({
  description: 'Whether the public sees it, while the website is public. Default: false.',
});

/** POST /websites/:id/annotations. */
export const AnnotationInput = t.Object(
  { at: t.Optional(at), text, isPublic: t.Optional(isPublic) },
  { additionalProperties: true },
);
export type AnnotationInput = typeof AnnotationInput.static;

/** PATCH /websites/:id/annotations/:annotationId. Absent fields stay. */
export const AnnotationUpdate = t.Object(
  { at: t.Optional(at), text: t.Optional(text), isPublic: t.Optional(isPublic) },
  { additionalProperties: true },
);
export type AnnotationUpdate = typeof AnnotationUpdate.static;

export const Annotation = t.Object(
  {
    id: opaqueId,
    at: t.String({ description: 'A day, or an instant in UTC.', examples: ['2026-11-20'] }),
    text,
    isPublic,
    ...timestamps,
  },
  { title: 'Annotation', description: 'A remark on the chart.' },
);
export type Annotation = typeof Annotation.static;

export const AnnotationList = t.Object(
  {
    annotations: t.Array(Annotation, { description: 'By time.' }),
    total: integer({ minimum: 0, maximum: ANNOTATIONS_MAX, description: 'How many there are.' }),
  },
  { description: 'The annotations of a website.' },
);

const SeriesAnnotation = t.Object(
  {
    id: opaqueId,
    time: instant('Where it stands, UTC: of a day where it begins.'),
    local: t.String({ description: 'The same with the offset of the time zone.' }),
    isDay: t.Boolean({ description: 'It is about the whole day.' }),
    text,
    isPublic,
  },
  { title: 'SeriesAnnotation', description: 'A remark on a range.' },
);
export type SeriesAnnotation = typeof SeriesAnnotation.static;

/** Annotations of answers with points. */
export const seriesAnnotations = {
  annotations: t.Optional(
    t.Array(SeriesAnnotation, {
      description:
        'Present with annotations=true: those of the range by time, and of the days that it touches.',
    }),
  ),
};
