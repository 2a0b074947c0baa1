import { useId } from 'preact/hooks';
import { areaPath, barsPath, barWidth, levelsPath, linePaths, type Mark } from './paths.ts';
import type { PlotModel } from './plot-model.ts';

/** Pixels from point to point below which a line is drawn finer. */
const DENSE_BAND = 4;

/** The still part of a chart: grid, labels and marks. */
export function Plot({ model }: { model: PlotModel }) {
  const { left, right, base, valueTicks, timeLabels, kind } = model;
  return (
    <>
      {valueTicks.map(({ y, text }) => (
        <g key={text}>
          <line class={y === base ? 'chart-base' : 'chart-grid'} x1={left} x2={right} y1={y} y2={y} />
          <text class="chart-text" x={left - 10} y={y} dy="0.32em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {timeLabels.map(({ index, x, text }) => (
        <text key={index} class="chart-text" x={x} y={base + 20} text-anchor="middle">
          {text}
        </text>
      ))}
      {kind === 'line' ? <Lines model={model} /> : <Bars model={model} />}
    </>
  );
}

function Lines({ model: { marks, earlier, top, base, band } }: { model: PlotModel }) {
  const fade = useId();
  const line = linePaths(marks);
  const before = linePaths(earlier);
  // A stroke that is wider than the way to the next point would paint a block.
  const thin = band < DENSE_BAND ? { 'stroke-width': 1.25 } : {};
  return (
    <>
      <linearGradient id={fade} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1={top} y2={base}>
        <stop class="chart-fade-top" offset="0" />
        <stop class="chart-fade-base" offset="1" />
      </linearGradient>
      <path d={areaPath(marks, base)} fill={`url(#${fade})`} />
      <path class="chart-line chart-earlier" d={before.solid} />
      <path class="chart-line" d={line.solid} {...thin} />
      <path class="chart-line chart-open" d={line.dashed} {...thin} />
      <path class="chart-line chart-lone" d={line.dots} />
    </>
  );
}

function Bars({ model: { marks, earlier, base, band } }: { model: PlotModel }) {
  const hatch = useId();
  const width = barWidth(band);
  const only = (isIncomplete: boolean): Mark[] => marks.filter((mark) => mark.isIncomplete === isIncomplete);
  const levels = levelsPath(earlier, Math.max(width, band * 0.9));
  return (
    <>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="chart-hatch-ground" width="5" height="5" />
        <rect class="chart-hatch-line" width="2" height="5" />
      </pattern>
      <path class="chart-bar" d={barsPath(only(false), base, width)} />
      <path fill={`url(#${hatch})`} d={barsPath(only(true), base, width)} />
      <path class="chart-level-halo" d={levels} />
      <path class="chart-level" d={levels} />
    </>
  );
}
