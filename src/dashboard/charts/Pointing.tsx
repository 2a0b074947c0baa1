import type { PlotModel } from './plot-model.ts';

type Props = { model: PlotModel; index: number; anchor: number | undefined };

/** The interactive part of a chart: the focused point and the selected span. */
export function Pointing({ model, index, anchor }: Props) {
  const { positions, marks, earlier, kind, band, top, base, left, right } = model;
  const x = positions[index] ?? 0;
  const y = marks[index]?.y ?? null;
  const earlierY = earlier[index]?.y ?? null;
  const half = kind === 'bar' ? band / 2 : 0;
  const from = Math.max(left, Math.min(x, positions[anchor ?? index] ?? x) - half);
  const to = Math.min(right, Math.max(x, positions[anchor ?? index] ?? x) + half);
  return (
    <>
      {(anchor !== undefined || kind === 'bar') && (
        <rect
          class={anchor === undefined ? 'chart-band' : 'chart-selection'}
          x={from}
          y={top}
          width={Math.max(1, to - from)}
          height={base - top}
        />
      )}
      {kind === 'line' && <line class="chart-cross" x1={x} x2={x} y1={top} y2={base} />}
      {kind === 'line' && earlierY !== null && (
        <circle class="chart-dot-earlier" cx={x} cy={earlierY} r="4" />
      )}
      {kind === 'line' && y !== null && <circle class="chart-dot" cx={x} cy={y} r="5" />}
    </>
  );
}
