/** A point of a chart; null where there is no figure. */
export type Mark = { x: number; y: number | null; isIncomplete: boolean };

/** Decimals of coordinates: a tenth of a pixel is finer than a screen shows. */
export const round = (value: number) => Math.round(value * 10) / 10;

/**
 * SVG path from each point to the next. A smooth one is a monotone cubic (Fritsch and Carlson 1980): between
 * two points it stays between their heights, so it invents no peak. The path to and from incomplete points
 * is straight.
 *
 * @returns the path to the point of an index, from the one before
 */
export function waysBetween(marks: readonly Mark[], isSmooth: boolean): (index: number) => string {
  const tangents = isSmooth ? tangentsOf(marks) : [];
  return (index) => {
    const [from, to] = [marks[index - 1], marks[index]];
    if (!to || to.y === null) return '';
    const [start, end] = [tangents[index - 1], tangents[index]];
    if (
      !from ||
      from.y === null ||
      start === undefined ||
      end === undefined ||
      slopeAt(marks, index - 1) === undefined
    )
      return `L${round(to.x)} ${round(to.y)}`;
    const third = (to.x - from.x) / 3;
    const controls = [from.x + third, from.y + third * start, to.x - third, to.y - third * end];
    return `C${[...controls, to.x, to.y].map(round).join(' ')}`;
  };
}

/** Slope from a point to the next one, where both exist and are complete. */
function slopeAt(marks: readonly Mark[], index: number): number | undefined {
  const [from, to] = [marks[index], marks[index + 1]];
  if (!from || !to || from.y === null || to.y === null || from.isIncomplete || to.isIncomplete)
    return undefined;
  return (to.y - from.y) / (to.x - from.x);
}

function tangentsOf(marks: readonly Mark[]): (number | undefined)[] {
  const slopes = marks.map((_, index) => slopeAt(marks, index));
  const inner = marks.map((mark, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return undefined;
    const [left, right] = [mark.x - (marks[index - 1]?.x ?? 0), (marks[index + 1]?.x ?? 0) - mark.x];
    const mean = (before * right + after * left) / (left + right);
    const least = Math.min(Math.abs(before), Math.abs(after), Math.abs(mean) / 2);
    return (Math.sign(before) + Math.sign(after)) * least;
  });
  return marks.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before !== undefined && after !== undefined) return inner[index];
    const only = before ?? after;
    if (only === undefined) return undefined;
    const neighbour = inner[before === undefined ? index + 1 : index - 1];
    return neighbour === undefined ? only : (3 * only - neighbour) / 2;
  });
}
