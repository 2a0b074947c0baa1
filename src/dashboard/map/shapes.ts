/** The map as it is drawn: paths and places by ISO 3166-1 alpha-2 code, on a grid of whole numbers. */
export type WorldShapes = {
  width: number;
  height: number;
  /** The outline of a country, relative from its first point on. */
  areas: Record<string, string>;
  /** Where those are that have no outline, or one too small to be seen. */
  dots: Record<string, [x: number, y: number]>;
};
