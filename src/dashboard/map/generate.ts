/**
 * Makes world-shapes.json from Natural Earth's public-domain borders: `bun src/dashboard/map/generate.ts`. The file is
 * committed, so what this needs is not needed by the service. The Natural Earth projection keeps areas nearly in
 * proportion and the north as people know it; Equal Earth, with exact areas, presses Canada and Scandinavia flat.
 */
import { type GeoProjection, geoArea, geoCentroid, geoNaturalEarth1, geoPath } from 'd3-geo';
import type { Feature, GeometryCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { iso31661 } from 'iso-3166';
import { merge } from 'topojson-client';
import type {
  GeometryCollection as TopoCollection,
  Topology,
  MultiPolygon as TopoMultiPolygon,
  Polygon as TopoPolygon,
} from 'topojson-specification';
import fine from 'world-atlas/countries-50m.json';
import coarse from 'world-atlas/countries-110m.json';
import type { WorldShapes } from './shapes.ts';

type Country = TopoPolygon<{ name: string }> | TopoMultiPolygon<{ name: string }>;
type World = Topology<{ countries: TopoCollection<{ name: string }> }>;

/** Width of the grid, finer than a pixel of the widest map (60rem). Each finer step takes 0.5 kB more. */
const WIDTH = 1_200;
/** Area in grid squares below which an outline also gets a dot. */
const SMALL_AREA = 22;
/** Antarctica has no residents and would take a fifth of the map. */
const LEFT_OUT = 'AQ';

/** Regions that Natural Earth draws without a code, and the codes that their IP addresses have. */
const CODES_BY_NAME: Record<string, string> = { Kosovo: 'XK', Somaliland: 'SO', 'N. Cyprus': 'CY' };

/** Positions of codes that Natural Earth draws as parts of other countries, or not at all. */
const PLACES: Record<string, [longitude: number, latitude: number]> = {
  BQ: [-68.27, 12.18],
  BV: [3.4, -54.4],
  CC: [96.83, -12.16],
  CX: [105.63, -10.45],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  MQ: [-61.02, 14.64],
  RE: [55.53, -21.13],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  UM: [166.6, 19.3],
  YT: [45.16, -12.83],
};

export function makeWorldShapes(): WorldShapes {
  // Read from JSON, where types are only as narrow as text and numbers.
  const outlines = withFrenchGuiana(outlinesOf(coarse as unknown as World));
  outlines.delete(LEFT_OUT);
  const places = new Map(
    [...outlinesOf(fine as unknown as World)].map(([code, outline]) => [
      code,
      geoCentroid(largestOf(outline)),
    ]),
  );
  for (const [code, place] of Object.entries(PLACES)) places.set(code, place);
  places.delete(LEFT_OUT);
  const everything: GeometryCollection = {
    type: 'GeometryCollection',
    geometries: [...outlines.values(), { type: 'MultiPoint', coordinates: [...places.values()] }],
  };
  const projection = geoNaturalEarth1().fitWidth(WIDTH, everything);
  const height = Math.ceil(geoPath(projection).bounds(everything)[1][1]);

  const areas = new Map([...outlines].map(([code, outline]) => [code, toPath(outline, projection)]));
  const dots = [...places]
    .filter(([code]) => isSmall(outlines.get(code), projection))
    .flatMap(([code, place]) => {
      const at = projection(place);
      return at ? [[code, [Math.round(at[0]), Math.round(at[1])]] as const] : [];
    });
  return {
    width: WIDTH,
    height,
    areas: Object.fromEntries([...areas].sort()),
    dots: Object.fromEntries([...dots].sort()) as WorldShapes['dots'], // two numbers each
  };
}

/** Outlines by code; parts of one code become one outline. */
function outlinesOf(world: World): Map<string, MultiPolygon> {
  const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
  const parts = new Map<string, Country[]>();
  for (const geometry of world.objects.countries.geometries) {
    const country = geometry as Country; // they are all areas, and named
    const code = codes.get(String(country.id)) ?? CODES_BY_NAME[country.properties?.name ?? ''];
    if (code) parts.set(code, [...(parts.get(code) ?? []), country]);
  }
  return new Map([...parts].map(([code, countries]) => [code, merge(world, countries)]));
}

/** A part of France in Natural Earth, and a code of its own. */
function withFrenchGuiana(outlines: Map<string, MultiPolygon>): Map<string, MultiPolygon> {
  const polygons = outlines.get('FR')?.coordinates ?? [];
  const isGuiana = (coordinates: Position[][]) => geoCentroid({ type: 'Polygon', coordinates })[0] < -40;
  const of = (coordinates: Position[][][]): MultiPolygon => ({ type: 'MultiPolygon', coordinates });
  return new Map([
    ...outlines,
    ['FR', of(polygons.filter((polygon) => !isGuiana(polygon)))],
    ['GF', of(polygons.filter(isGuiana))],
  ]);
}

function largestOf({ coordinates }: MultiPolygon): Polygon {
  const polygons = coordinates.map((rings): Polygon => ({ type: 'Polygon', coordinates: rings }));
  return polygons.reduce((largest, polygon) => (geoArea(polygon) > geoArea(largest) ? polygon : largest));
}

function isSmall(outline: MultiPolygon | undefined, projection: GeoProjection): boolean {
  return !outline || geoPath(projection).area(outline) < SMALL_AREA;
}

/** Relative, in whole numbers, without points that fall on the one before. */
function toPath(geometry: MultiPolygon, projection: GeoProjection): string {
  let path = '';
  let start = [0, 0];
  for (const ring of ringsOf({ type: 'Feature', properties: null, geometry }, projection)) {
    const [first = [0, 0]] = ring;
    let at = start;
    const steps = ring.flatMap((point) => {
      const [dx = 0, dy = 0] = [(point[0] ?? 0) - (at[0] ?? 0), (point[1] ?? 0) - (at[1] ?? 0)];
      at = point;
      return dx === 0 && dy === 0 && point !== first ? [] : [dx, dy];
    });
    if (steps.length < 6) continue;
    path += `m${steps.join(' ').replaceAll(' -', '-')}z`;
    start = first;
  }
  return path;
}

function ringsOf(shape: Feature, projection: GeoProjection): number[][][] {
  const rings: number[][][] = [];
  const add = (x: number, y: number) => rings.at(-1)?.push([Math.round(x), Math.round(y)]);
  geoPath(projection, {
    beginPath() {},
    moveTo(x, y) {
      rings.push([]);
      add(x, y);
    },
    lineTo: add,
    arc() {},
    closePath() {},
  })(shape);
  return rings;
}

if (import.meta.main) {
  await Bun.write(new URL('world-shapes.json', import.meta.url), `${JSON.stringify(makeWorldShapes())}\n`);
}
