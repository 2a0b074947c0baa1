import { type Mark, round, waysBetween } from './curve.ts';

/** SVG paths. A missing figure (null) is a gap, not 0. */

const at = ({ x, y }: { x: number; y: number }) => `${round(x)} ${round(y)}`;

/**
 * A line in two parts: dashed to and from incomplete points, solid elsewhere. A point without neighbours is a
 * dot: a stroke of zero length with round caps. All points are drawn, however many there are.
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

/** Area between the line and the base, a shape for each run without a gap. */
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
 * Bars around the marks, as one path. A value above 0 is at least a pixel high, and a bar at least one wide: when
 * bars outnumber pixels, the highest of those that share one is visible.
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

/** Width of a bar, with gaps where there is room, and at least a pixel. */
export function barWidth(band: number): number {
  const gap = band >= 8 ? band * 0.25 : band >= 3 ? 1 : 0;
  return Math.max(1, Math.min(48, band - gap));
}
