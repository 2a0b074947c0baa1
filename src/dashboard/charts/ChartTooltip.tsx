import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { ChangeText } from './ChangeText.tsx';
import type { PlotModel } from './plot-model.ts';
import { readPoint, type Series } from './reading.ts';

/** Size of the tooltip, as in ChartTooltip.css. */
const WIDTH = 200;
const DISTANCE = 14;

type Props = { series: Series; model: PlotModel; index: number };

/** Figures under the pointer. Hidden from screen readers, which use the slider below. */
export function ChartTooltip({ series, model, index }: Props) {
  const reading = readPoint(series, index);
  if (!reading) return null;
  const { name, isBetterLow } = METRIC_FORMATS[series.metric];
  const { time, value, isIncomplete, imported, earlier, notes } = reading;
  return (
    <div class="chart-tooltip" aria-hidden="true" style={placeOf(model, index)}>
      <p class="chart-tooltip-time">
        {time}
        {isIncomplete && <span class="chart-tooltip-note">not complete</span>}
      </p>
      <p class="chart-tooltip-row">
        <span class="chart-key">{name}</span>
        <strong>{value}</strong>
      </p>
      {imported && (
        <p class="chart-tooltip-row">
          <span>Imported</span>
          <span>{imported}</span>
        </p>
      )}
      {earlier && (
        <p class="chart-tooltip-row chart-tooltip-earlier">
          <span class="chart-key chart-key-earlier">{earlier.time}</span>
          <span>{earlier.value}</span>
        </p>
      )}
      {earlier?.change && (
        <p class="chart-tooltip-change">
          <ChangeText change={earlier.change} isBetterLow={isBetterLow} />
        </p>
      )}
      {notes?.map((note, at) => (
        <p key={at} class="chart-tooltip-remark">
          <bdi>{note}</bdi>
        </p>
      ))}
    </div>
  );
}

/** Position next to the point where there is room, or else in the half without the point. */
function placeOf({ positions, marks, width, top, base }: PlotModel, index: number) {
  const x = positions[index] ?? 0;
  if (x + DISTANCE + WIDTH <= width) return at(x + DISTANCE, top);
  if (x - DISTANCE - WIDTH >= 0) return at(x - DISTANCE - WIDTH, top);
  const isHigh = (marks[index]?.y ?? base) < (top + base) / 2;
  const left = Math.max(0, Math.min(width - WIDTH, x - WIDTH / 2));
  return isHigh ? { left: px(left), bottom: px(0) } : at(left, 0);
}

const px = (length: number) => `${Math.round(length)}px`;
const at = (left: number, top: number) => ({ left: px(left), top: px(top) });
