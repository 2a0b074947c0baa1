/** Shapes of the map: paths and places by ISO 3166-1 alpha-2 code, on a grid of whole numbers. */
export type WorldShapes = {
  width: number;
  height: number;
  /** Outline of a country, relative to its first point. */
  areas: Record<string, string>;
  /** Positions of countries without an outline, or with one too small to be seen. */
  dots: Record<string, [x: number, y: number]>;
};
