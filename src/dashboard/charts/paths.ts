import { type Mark, round, waysBetween } from './curve.ts';

/** Paths of SVG. A gap is null: where there is no figure nothing is drawn, rather than a nought. */

const at = ({ x, y }: { x: number; y: number }) => `${round(x)} ${round(y)}`;

/**
 * A line in two parts: dashed to and from what is incomplete, solid elsewhere. A point that has no neighbour is a
 * dot: a stroke of no length with round caps. Nothing is left out, however many points there are.
 */
export function linePaths(
  marks: readonly Mark[],
  isSmooth = false,
): { solid: string; dashed: string; dots: string } {
  const paths = { solid: '', dashed: '', dots: '' };
  const ends: { solid?: Mark; dashed?: Mark } = {};
  const way = waysBetween(marks, isSmooth);
  marks.forEach((mark, index) => {
    const { x, y } = mark;
    if (y === null) return;
    const before = marks[index - 1];
    if (before && before.y !== null) {
      const part = mark.isIncomplete || before.isIncomplete ? 'dashed' : 'solid';
      if (ends[part] !== before) paths[part] += `M${at({ x: before.x, y: before.y })}`;
      paths[part] += way(index);
      ends[part] = mark;
    } else if ((marks[index + 1]?.y ?? null) === null) paths.dots += `M${at({ x, y })}h0`;
  });
  return paths;
}

/** What lies between the line and the base, a shape for each stretch without a gap. */
export function areaPath(marks: readonly Mark[], base: number, isSmooth = false): string {
  const way = waysBetween(marks, isSmooth);
  let path = '';
  let start: number | undefined;
  marks.forEach(({ x, y }, index) => {
    const isLast = (marks[index + 1]?.y ?? null) === null;
    if (y === null || (start === undefined && isLast)) return;
    path += start === undefined ? `M${at({ x, y })}` : way(index);
    start ??= x;
    if (!isLast) return;
    path += `V${base}H${round(start)}Z`;
    start = undefined;
  });
  return path;
}

const RADIUS = 3;

/**
 * Bars around the marks, as one path. What is not nothing is at least a pixel high, and a bar at least one wide: when
 * there are more bars than pixels, the highest of those that share one is seen.
 */
export function barsPath(marks: readonly Mark[], base: number, width: number): string {
  return marks
    .map(({ x, y }) => {
      if (y === null || y >= base) return '';
      const top = Math.min(y, base - 1);
      const radius = round(Math.min(RADIUS, width / 4, base - top));
      const left = round(x - width / 2);
      const straight = round(width - 2 * radius);
      const corner = `${radius} ${radius} 0 0 1`;
      return `M${left} ${base}V${round(top + radius)}a${corner} ${radius} ${-radius}h${straight}a${corner} ${radius} ${radius}V${base}Z`;
    })
    .join('');
}

/** The width of a bar: air between them as long as there is room for it, and never less than a pixel. */
export function barWidth(band: number): number {
  const gap = band >= 8 ? band * 0.25 : band >= 3 ? 1 : 0;
  return Math.max(1, Math.min(48, band - gap));
}
