import { useMemo, useRef, useState } from 'preact/hooks';
import { formatCountLong, formatCountOf, formatPercent } from '../state/format.ts';
import { ownValue } from '../state/own-value.ts';
import { nameOfCountry, nameOfValue } from '../state/value-names.ts';
import { LEVELS, levelOf } from './levels.ts';
import type { WorldShapes } from './shapes.ts';

type CountryRow = {
  value: string | null;
  visitors: number;
  share: number;
  /** Rate of the page's goal; null when it cannot be told. */
  goalRate?: number | null;
};

type Props = {
  /** Content of the map, as the beginning of a sentence: `Visitors by country`. */
  label: string;
  /** Undefined while the file loads; its space is reserved. */
  shapes: WorldShapes | undefined;
  rows: readonly CountryRow[];
  /** Countries that draw attention for a moment. */
  pulses?: ReadonlySet<string>;
  onPick?: (code: string, event: MouseEvent | KeyboardEvent) => void;
};

/** Size of the shapes, known before the file loads; a test compares them. */
const SIZE = { width: 1_200, height: 522 };

/** Maximum countries named in the summary; the list next to the map has all. */
const NAMED_MAX = 3;

const SHADES = Array.from({ length: LEVELS }, (_, index) => index + 1);

type Focus = { code: string; x: number; y: number };

/**
 * Countries shaded by their visitors. Those with visitors are one tab stop; arrow keys move through them, most
 * visitors first.
 */
export function WorldMap({ label, shapes, rows, pulses, onPick }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<Focus>();
  const [current, setCurrent] = useState(0);

  const sorted = useMemo(() => sortOut(rows, shapes), [rows, shapes]);
  const { ranked, smallest, largest, byCode } = sorted;
  const describe = ({ value, visitors, share, goalRate }: CountryRow) =>
    `${nameOfValue('country', value)}: ${formatCountOf(visitors, 'visitors')}, ${formatPercent(share)}${
      typeof goalRate === 'number' ? `, rate ${formatPercent(goalRate)}` : ''
    }`;
  const ground = useMemo(
    () => shapes && <path class="map-ground" d={Object.values(shapes.areas).map(fromOrigin).join('')} />,
    [shapes],
  );

  const point = (event: Event) => {
    const target = countryAt(event);
    const code = target?.getAttribute('data-code');
    const origin = frame.current?.getBoundingClientRect();
    if (!target || !code || !origin) return setFocus(undefined);
    const { left, top, width } = target.getBoundingClientRect();
    setFocus({ code, x: left + width / 2 - origin.left, y: top - origin.top });
  };
  const pick = (event: MouseEvent | KeyboardEvent) => {
    const code = countryAt(event)?.getAttribute('data-code');
    if (code) onPick?.(code, event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveByKey(event.key, current, ranked.length - 1);
    if (event.key === 'Enter' || event.key === ' ') pick(event);
    else if (event.key === 'Escape' && focus) setFocus(undefined);
    else if (next !== undefined) {
      setCurrent(next);
      const code = ranked[next]?.value;
      frame.current?.querySelector<SVGElement>(`[data-code="${code}"]`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const row = focus && byCode.get(focus.code);
  const [first] = ranked;
  const leaders = ranked.slice(0, NAMED_MAX).map(describe).join('. ');
  const summary = first
    ? `${label}: ${ranked.length} ${ranked.length === 1 ? 'country' : 'countries'}. ${leaders}.`
    : `${label}: none.`;
  const { width, height } = shapes ?? SIZE;
  return (
    // The listeners are not on the SVG: Chromium makes an SVG that listens for focus a tab stop.
    <figure
      class="map"
      aria-label={summary}
      onPointerMove={point}
      onPointerLeave={() => setFocus(undefined)}
      onFocusIn={point}
      onFocusOut={() => setFocus(undefined)}
      onClick={pick}
      onKeyDown={onKeyDown}
    >
      <div class="map-frame" ref={frame} style={{ 'aspect-ratio': `${width} / ${height}` }}>
        {shapes && (
          <svg role="presentation" viewBox={`0 0 ${width} ${height}`}>
            {ground}
            {ranked.map((country, index) => (
              <Shape
                key={country.value}
                shapes={shapes}
                code={country.value}
                level={levelOf(country.visitors, smallest, largest)}
                label={describe(country)}
                isStop={index === Math.min(current, ranked.length - 1)}
                isButton={onPick !== undefined}
                isPulsing={pulses?.has(country.value) ?? false}
              />
            ))}
          </svg>
        )}
        {focus && row && <Tooltip row={row} style={placeOf(focus, frame.current)} />}
      </div>
      <Legend of={sorted} />
    </figure>
  );
}

type ShapeProps = {
  shapes: WorldShapes;
  code: string;
  level: number;
  label: string;
  isStop: boolean;
  isButton: boolean;
  isPulsing: boolean;
};

/** A country with visitors. One too small to be seen is a dot: a stroke of zero length with round caps. */
function Shape({ shapes, code, level, label, isStop, isButton, isPulsing }: ShapeProps) {
  const dot = ownValue(shapes.dots, code);
  return (
    <path
      class={`map-country map-level-${level} ${dot ? 'map-dot' : ''} ${isPulsing ? 'map-pulse' : ''}`}
      d={dot ? `M${dot[0]} ${dot[1]}h0` : ownValue(shapes.areas, code)}
      data-code={code}
      role={isButton ? 'button' : 'img'}
      aria-label={label}
      tabindex={isStop ? 0 : -1}
    />
  );
}

type TooltipProps = { row: Placed; style: ReturnType<typeof placeOf> };

/** Tooltip for the pointer; the country's label says the same. */
function Tooltip({ row, style }: TooltipProps) {
  return (
    <div class="chart-tooltip map-tooltip" aria-hidden="true" style={style}>
      <p class="chart-tooltip-time">{nameOfCountry(row.value)}</p>
      <p class="chart-tooltip-row">
        <strong>{formatCountOf(row.visitors, 'visitors')}</strong>
        <span>{formatPercent(row.share)}</span>
      </p>
      {typeof row.goalRate === 'number' && (
        <p class="chart-tooltip-row">
          <strong>{formatPercent(row.goalRate)}</strong>
          <span>rate</span>
        </p>
      )}
    </div>
  );
}

type LegendProps = { of: ReturnType<typeof sortOut> };

/** Meaning of the shades, and visitors that are not on the map. */
function Legend({ of: { ranked, elsewhere, smallest, largest } }: LegendProps) {
  return (
    <figcaption class="map-legend">
      {ranked.length > 0 && (
        <span class="map-scale">
          {smallest < largest && formatCountLong(smallest)}
          {(smallest < largest ? SHADES : SHADES.slice(-1)).map((level) => (
            <i key={level} class={`map-level-${level}`} />
          ))}
          {formatCountOf(largest, 'visitors')}
        </span>
      )}
      {elsewhere.length > 0 && <span>{describeElsewhere(elsewhere)}</span>}
    </figcaption>
  );
}

type Placed = CountryRow & { value: string };

function sortOut(rows: readonly CountryRow[], shapes: WorldShapes | undefined) {
  const isPlaced = (row: CountryRow): row is Placed =>
    row.value !== null &&
    shapes !== undefined &&
    [shapes.areas, shapes.dots].some((places) => Object.hasOwn(places, row.value ?? ''));
  const ranked = rows.filter(isPlaced).sort((a, b) => b.visitors - a.visitors);
  return {
    ranked,
    elsewhere: shapes ? rows.filter((row) => row.visitors > 0 && !isPlaced(row)) : [],
    smallest: ranked.at(-1)?.visitors ?? 0,
    largest: ranked[0]?.visitors ?? 0,
    byCode: new Map(ranked.map((row) => [row.value, row])),
  };
}

function describeElsewhere(rows: readonly CountryRow[]): string {
  const [only] = rows;
  if (rows.length === 1 && only?.value === null) return `Unknown location: ${formatCountLong(only.visitors)}`;
  return `Not on the map: ${describeFew(rows)}`;
}

function describeFew(rows: readonly CountryRow[]): string {
  const named = rows
    .slice(0, NAMED_MAX)
    .map(({ value, visitors }) => `${nameOfValue('country', value)} (${formatCountLong(visitors)})`);
  const more = rows.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function moveByKey(key: string, index: number, last: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}

// The target of a pointer event in an SVG is an element.
const countryAt = (event: Event) => (event.target as Element).closest('[data-code]');

/** Moves the start of an outline to the origin, which is needed after another one. */
const fromOrigin = (outline: string) => `M0 0${outline}`;

/** Size of the tooltip, as in ChartTooltip.css. */
const TOOLTIP_WIDTH = 200;
const TOOLTIP_HEIGHT = 64;

/** Position above the country, or below its upper edge where there is no room. */
function placeOf({ x, y }: Focus, frame: HTMLElement | null) {
  const left = Math.max(0, Math.min((frame?.clientWidth ?? 0) - TOOLTIP_WIDTH, x - TOOLTIP_WIDTH / 2));
  const top = y >= TOOLTIP_HEIGHT ? y - TOOLTIP_HEIGHT : y + 24;
  return { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` };
}
