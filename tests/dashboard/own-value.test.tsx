import { describe, expect, test } from 'bun:test';
import { act } from 'preact/test-utils';
import { ApiError } from '../../src/dashboard/api/client.ts';
import type { WorldShapes } from '../../src/dashboard/map/shapes.ts';
import { WorldMap } from '../../src/dashboard/map/WorldMap.tsx';
import shapes from '../../src/dashboard/map/world-shapes.json';
import { Mark } from '../../src/dashboard/marks/Mark.tsx';
import { Path } from '../../src/dashboard/people/Path.tsx';
import { BadAddress } from '../../src/dashboard/report/BadAddress.tsx';
import { nameOfPeriod } from '../../src/dashboard/state/ranges.ts';
import { nameOfValue } from '../../src/dashboard/state/value-names.ts';
import { readViewState } from '../../src/dashboard/state/view-state.ts';
import type { Dimension } from '../../src/vocabulary/analytics.ts';
import { mount } from '../support/render.ts';

/** Names that every object inherits, and that an event or an address may contain. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

describe('a text that is a name of every object', () => {
  test.each(INHERITED)('%s has the letter of a value without a mark', async (value) => {
    for (const dimension of ['source', 'utmSource', 'browser', 'os', 'deviceType', 'country']) {
      using page = mount(<Mark dimension={dimension} value={value} />);
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      page.update(<Mark dimension={dimension} value={value} />);
      expect(page.findAll('svg, img')).toEqual([]);
    }
  });

  test.each(INHERITED)('%s is a country that is not on the map', (value) => {
    const rows = [{ value, visitors: 3, share: 1 }];
    using page = mount(<WorldMap label="Visitors" shapes={shapes as unknown as WorldShapes} rows={rows} />); // pairs in JSON are lists
    expect(page.findAll('.map-country')).toEqual([]);
    expect(page.find('.map-legend').textContent).toBe(`Not on the map: ${value} (3)`);
  });

  test.each(INHERITED)('%s names no period and no dimension', (name) => {
    expect(nameOfPeriod(name)).toBe(name);
    expect(nameOfValue(name as Dimension, null)).toBe('(none)'); // what an address names
  });

  test.each(INHERITED)('%s is a field without a name of its own', (name) => {
    const fault = new ApiError(400, 'VALIDATION_ERROR', 'No', Object.fromEntries([[name, ['Unknown']]]));
    using page = mount(<BadAddress fault={fault} view={readViewState('')} onChange={() => {}} />);
    expect(page.find('li').textContent).toBe(`${name}: Unknown`);
  });
});

test('a click whose text is an object is shown as JSON', () => {
  const event = {
    id: 'one',
    createdAt: '2026-11-23T01:00:00Z',
    eventType: 'click' as const,
    url: 'https://example.com/',
    page: '/',
    name: null,
    engagedSeconds: null,
    scrollDepth: null,
    properties: { text: { toString: 'no function' } },
  };
  using page = mount(<Path events={[event]} timezone="UTC" />);
  expect(page.find('.path-what strong').textContent).toBe('{"toString":"no function"}');
});
