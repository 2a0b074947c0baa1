import type { SeriesAnnotation } from '../../contract/annotation.ts';
import type { AnnotationRow, Annotations } from '../../saved/annotations.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { fromWall, toLocalText } from '../time/calendar.ts';
import type { Range } from '../time/range.ts';
import type { Question } from './open-question.ts';

export type FindAnnotations = () => Promise<{ annotations?: SeriesAnnotation[] }>;

/** Reads the annotations within a range, when requested. The public receives those that are shown to it. */
export function readAnnotations(
  { annotations }: { annotations: Pick<Annotations, 'listAround'> },
  { parameters, subject, asked }: Question,
): FindAnnotations {
  const isWanted = parameters.flag('annotations');
  return async () => {
    if (!isWanted) return {};
    if (subject.access.link?.filters.length) return { annotations: [] }; // they may be about what it leaves out
    const rows = await annotations.listAround(
      subject.website.key,
      asked.range,
      subject.access.role === 'public',
    );
    const placed = rows.flatMap((row) => place(asked.range, row) ?? []);
    // The start of a day depends on the time zone, so the order differs from that of the rows.
    return { annotations: placed.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time)) };
  };
}

/** Returns undefined when outside the range. A day belongs to a range that overlaps it. */
function place({ fromMs, toMs, zone }: Range, row: AnnotationRow): SeriesAnnotation | undefined {
  const { id, atMs, isDay, text, isPublic } = row;
  const beginMs = isDay ? fromWall(zone, atMs) : atMs;
  const endMs = isDay ? fromWall(zone, atMs + DAY_MS) : atMs + 1;
  if (endMs <= fromMs || beginMs >= toMs) return undefined;
  const time = new Date(beginMs).toISOString();
  return { id, time, local: toLocalText(zone, beginMs), isDay, text, isPublic };
}
