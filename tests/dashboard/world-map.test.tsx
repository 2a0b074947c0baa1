import { describe, expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import { iso31661 } from 'iso-3166';
import { makeWorldShapes } from '../../src/dashboard/map/generate.ts';
import { LEVELS, levelOf } from '../../src/dashboard/map/levels.ts';
import { WorldMap } from '../../src/dashboard/map/WorldMap.tsx';
import shapes from '../../src/dashboard/map/world-shapes.json';
import { mount } from '../support/render.ts';

const SHAPES = makeWorldShapes();
const byNumber = (a = Number.NaN, b = Number.NaN) => a - b;
const SHAPES_BYTES_MAX = 12_000;

describe('the shapes of the world', () => {
  test('are what the generator makes of the borders', () => {
    // Widened: from JSON, TypeScript takes a place for a list of any length.
    expect<unknown>(shapes).toEqual(SHAPES);
  });

  test('hold every country of ISO 3166-1 and Kosovo, as an outline or a dot; Antarctica is left out', () => {
    const shown = new Set([...Object.keys(SHAPES.areas), ...Object.keys(SHAPES.dots)]);
    const missing = [...iso31661.map(({ alpha2 }) => alpha2), 'XK'].filter((code) => !shown.has(code));
    expect(missing).toEqual(['AQ']);
  });

  test('lie inside of the map, where they belong', () => {
    const inside = ([x, y]: readonly [number, number]) =>
      x >= 0 && x <= SHAPES.width && y >= 0 && y <= SHAPES.height;
    expect(Object.entries(SHAPES.dots).filter(([, at]) => !inside(at))).toEqual([]);
    const [barbados = [], malta = [], singapore = [], reunion = []] = ['BB', 'MT', 'SG', 'RE'].map(
      (code) => SHAPES.dots[code],
    );
    const ordered = (...numbers: (number | undefined)[]) =>
      numbers.toString() === numbers.toSorted(byNumber).toString();
    expect(ordered(barbados[0], malta[0], reunion[0], singapore[0])).toBe(true);
    expect(ordered(malta[1], singapore[1], reunion[1])).toBe(true);
  });

  test('are a small file', () => {
    expect(brotliCompressSync(JSON.stringify(shapes)).length).toBeLessThan(SHAPES_BYTES_MAX);
  });
});

describe('the shade of a country', () => {
  for (const [visitors, smallest, largest, level] of [
    [1, 1, 10_000, 1],
    [6, 1, 10_000, 1],
    [7, 1, 10_000, 2],
    [9_999, 1, 10_000, LEVELS],
    [10_000, 1, 10_000, LEVELS],
    [26_000, 26_000, 330_000, 1],
    [60_000, 26_000, 330_000, 2],
    [1, 1, 1, LEVELS],
    [1, 1, 2, 1],
    [2, 1, 2, LEVELS],
  ] as const)
    test(`with ${visitors} visitors, of ${smallest} to ${largest}, is ${level}`, () =>
      expect(levelOf(visitors, smallest, largest)).toBe(level));
});

const ROWS = [
  { value: 'FR', visitors: 30, share: 0.3 },
  { value: 'DE', visitors: 60, share: 0.6 },
  { value: 'SG', visitors: 1, share: 0.01 },
  { value: null, visitors: 7, share: 0.07 },
  { value: 'Berlin', visitors: 2, share: 0.02 },
];

describe('the map', () => {
  const map = <WorldMap label="Visitors by country" shapes={SHAPES} rows={ROWS} onPick={() => {}} />;

  test('speaks of one country in the singular', () => {
    using page = mount(<WorldMap label="Visitors by country" shapes={SHAPES} rows={ROWS.slice(0, 1)} />);
    expect(page.find('figure').getAttribute('aria-label')).toStartWith('Visitors by country: 1 country.');
  });

  test('says in a sentence what it shows', () => {
    using page = mount(map);
    expect(page.find('figure').getAttribute('aria-label')).toBe(
      'Visitors by country: 3 countries. Germany: 60 visitors, 60%. France: 30 visitors, 30%. Singapore: 1 visitor, 1%.',
    );
  });

  test('shades the countries that have visitors, as buttons with a name', () => {
    using page = mount(map);
    const countries = page.findAll('.map-country');
    expect(countries.map((country) => country.getAttribute('data-code'))).toEqual(['DE', 'FR', 'SG']);
    expect(countries.map((country) => country.getAttribute('role'))).toEqual(['button', 'button', 'button']);
    expect(countries[0]?.getAttribute('aria-label')).toBe('Germany: 60 visitors, 60%');
    expect(countries[0]?.getAttribute('class')).toContain('map-level-5');
    expect(countries[2]?.getAttribute('d')).toMatch(/^M\d+ \d+h0$/);
  });

  test('names what is on no map', () => {
    using page = mount(map);
    expect(page.find('.map-legend').textContent).toEndWith('Not on the map: Unknown (7), Berlin (2)');
  });

  test('tells a country under the pointer, and nothing where there is none', () => {
    using page = mount(map);
    page.fire(page.find('[data-code=FR]'), 'pointermove');
    expect(page.find('.map-tooltip').textContent).toBe('France30 visitors30%');
    page.fire(page.find('.map-ground'), 'pointermove');
    expect(page.findAll('.map-tooltip')).toEqual([]);
  });

  test('a click picks a country, the sea none', () => {
    const picked: string[] = [];
    using page = mount(
      <WorldMap
        label="Map"
        shapes={SHAPES}
        rows={ROWS}
        onPick={(code, { type }) => picked.push(`${code} ${type}`)}
      />,
    );
    page.fire(page.find('[data-code=SG]'), 'click');
    page.fire(page.find('.map-ground'), 'click');
    expect(picked).toEqual(['SG click']);
  });

  test('is one stop of the Tab key; arrows go on by visitors, Enter and Space pick', () => {
    const picked: string[] = [];
    using page = mount(
      <WorldMap label="Map" shapes={SHAPES} rows={ROWS} onPick={(code) => picked.push(code)} />,
    );
    const stops = () =>
      page
        .findAll('.map-country')
        .filter((country) => country.getAttribute('tabindex') === '0')
        .map((country) => country.getAttribute('data-code'));
    expect(stops()).toEqual(['DE']);
    page.press(page.find('[data-code=DE]'), 'ArrowRight');
    expect(stops()).toEqual(['FR']);
    page.press(page.find('[data-code=FR]'), 'Enter');
    page.press(page.find('[data-code=FR]'), 'End');
    page.press(page.find('[data-code=SG]'), ' ');
    expect(stops()).toEqual(['SG']);
    expect(picked).toEqual(['FR', 'SG']);
    expect(page.press(page.find('[data-code=SG]'), 'x').defaultPrevented).toBe(false);
  });

  test('keeps its place while the shapes are on their way', () => {
    using page = mount(<WorldMap label="Map" shapes={undefined} rows={ROWS} />);
    expect(page.findAll('svg')).toEqual([]);
    expect(page.find('.map-frame').style.getPropertyValue('aspect-ratio')).toBe(
      `${SHAPES.width} / ${SHAPES.height}`,
    );
    expect(page.find('.map-legend').textContent).toBe('');
  });

  test('is read only without something to pick for', () => {
    using page = mount(<WorldMap label="Map" shapes={SHAPES} rows={ROWS} />);
    expect(page.find('.map-country').getAttribute('role')).toBe('img');
  });
});
