import { useId } from 'preact/hooks';
import type { Mark } from './curve.ts';
import { areaPath, barsPath, barWidth, linePaths } from './paths.ts';
import { END_GAP, LABEL_GAP, type PlotModel } from './plot-model.ts';

/** Distance between points, in pixels, below which a line is drawn thinner. */
const DENSE_BAND = 4;
const GHOST_PART = 0.68;

/** The static part of a chart: grid, labels and marks. */
export function Plot({ model }: { model: PlotModel }) {
  const { left, right, top, base, valueTicks, timeLabels, weekends, kind } = model;
  return (
    <>
      {weekends.map(({ x, width }) => (
        <rect key={x} class="chart-weekend" x={x} y={top} width={width} height={base - top} />
      ))}
      {valueTicks.map(({ y, text }) => (
        <g key={text}>
          <line class={y === base ? 'chart-base' : 'chart-grid'} x1={left} x2={right} y1={y} y2={y} />
          <text class="chart-text" x={left - LABEL_GAP} y={y} dy="0.32em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {timeLabels.map(({ index, x, text }) => (
        <text key={index} class="chart-text" x={x} y={base + 20} text-anchor="middle">
          {text}
        </text>
      ))}
      <Imported model={model} />
      {kind === 'line' ? <Lines model={model} /> : <Bars model={model} />}
    </>
  );
}

/** Sums of days that were imported, as hatched bars whatever the kind of chart. */
function Imported({ model: { imported, base, band } }: { model: PlotModel }) {
  const hatch = useId();
  if (!imported.some(({ y }) => y !== null)) return null;
  return (
    <>
      <Hatch id={hatch} />
      <path class="chart-imported" fill={`url(#${hatch})`} d={barsPath(imported, base, barWidth(band))} />
    </>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="chart-hatch-ground" width="5" height="5" />
      <rect class="chart-hatch-line" width="2" height="5" />
    </pattern>
  );
}

function Lines({ model }: { model: PlotModel }) {
  const { marks, earlier, top, base, band, isSmooth, end } = model;
  const fade = useId();
  const line = linePaths(marks, isSmooth);
  const before = linePaths(earlier, isSmooth);
  // A stroke wider than the distance to the next point would look like a block.
  const thin = band < DENSE_BAND ? { 'stroke-width': 1.25 } : {};
  return (
    <>
      <linearGradient id={fade} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1={top} y2={base}>
        <stop class="chart-fade-top" offset="0" />
        <stop class="chart-fade-base" offset="1" />
      </linearGradient>
      <path d={areaPath(marks, base, isSmooth)} fill={`url(#${fade})`} />
      <path class="chart-line chart-earlier" d={before.solid} />
      <path class="chart-line" d={line.solid} {...thin} />
      <path class="chart-line chart-open" d={line.dashed} {...thin} />
      <path class="chart-line chart-lone" d={line.dots} />
      {end && (
        <>
          <circle
            class={end.isIncomplete ? 'chart-end chart-end-open' : 'chart-end'}
            cx={end.x}
            cy={end.y}
            r="3.5"
          />
          <text class="chart-text chart-end-text" x={end.x + END_GAP} y={end.y} dy="0.35em">
            {end.text}
          </text>
        </>
      )}
    </>
  );
}

function Bars({ model: { marks, earlier, base, band } }: { model: PlotModel }) {
  const hatch = useId();
  const hasEarlier = earlier.some(({ y }) => y !== null);
  const ghost = barWidth(band);
  // Earlier bars are behind and wider, so that they are visible on both sides of a higher bar.
  const width = hasEarlier ? Math.max(1, ghost * GHOST_PART) : ghost;
  const only = (isIncomplete: boolean): Mark[] => marks.filter((mark) => mark.isIncomplete === isIncomplete);
  return (
    <>
      <Hatch id={hatch} />
      <path class="chart-ghost" d={barsPath(earlier, base, ghost)} />
      <path class="chart-bar" d={barsPath(only(false), base, width)} />
      <path fill={`url(#${hatch})`} d={barsPath(only(true), base, width)} />
    </>
  );
}
