import type { SeriesAnnotation } from '../../contract/annotation.ts';
import type { Point } from '../../contract/metrics/figures.ts';
import { formatPointTime } from '../state/time-format.ts';

/** Annotations of each point that has any. */
export type Notes = ReadonlyMap<number, readonly SeriesAnnotation[]>;

/** Assigns annotations to the points that contain them; a day that began before the range to the first one. */
export function toNotes(points: readonly Point[], annotations: readonly SeriesAnnotation[] = []): Notes {
  const notes = new Map<number, SeriesAnnotation[]>();
  const starts = points.map(({ time }) => Date.parse(time));
  for (const annotation of annotations) {
    const timeMs = Date.parse(annotation.time);
    const index = Math.max(
      0,
      starts.findLastIndex((startMs) => startMs <= timeMs),
    );
    notes.set(index, [...(notes.get(index) ?? []), annotation]);
  }
  return notes;
}

export type NoteMark = { x: number; annotations: readonly SeriesAnnotation[] };

/** Merges marks that would overlap. */
export function toNoteMarks(notes: Notes, positions: readonly number[], sizeMin: number): NoteMark[] {
  const marks: NoteMark[] = [];
  for (const index of [...notes.keys()].toSorted((a, b) => a - b)) {
    const x = positions[index] ?? 0;
    const own = notes.get(index) ?? [];
    const last = marks.at(-1);
    if (last && x - last.x < sizeMin)
      marks[marks.length - 1] = { ...last, annotations: [...last.annotations, ...own] };
    else marks.push({ x, annotations: own });
  }
  return marks;
}

/** `Fri, 20 Nov 2026`, `Fri, 20 Nov, 13:00` */
export function formatTime({ local, isDay }: SeriesAnnotation): string {
  return formatPointTime(local, isDay ? 'day' : 'minute');
}
