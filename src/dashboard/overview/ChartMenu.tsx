import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import { download, type Place } from '../api/place.ts';
import { saveFile } from '../browser/save-file.ts';
import { announce } from '../components/Announcer.tsx';
import { Menu } from '../components/Menu.tsx';
import { toComparisonQuestion } from '../state/comparison.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { describeComparison } from '../state/ranges.ts';
import { formatRange } from '../state/time-format.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

type Props = {
  answer: Dashboard;
  view: ViewState;
  place: Place;
  /** Name of the website. */
  name: string;
  /** Element that contains the chart. */
  frame: RefObject<HTMLElement | null>;
  /** Undefined on the public dashboard, which cannot annotate. */
  onAnnotate: (() => void) | undefined;
};

const ARROW = 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11';
const DOTS = 'M3 8h.01M8 8h.01M13 8h.01';

/** Menu to annotate the chart, and to download it as a table or a picture. */
export function ChartMenu({ answer, view, place, name, frame, onAnnotate }: Props) {
  const [fault, setFault] = useState('');
  const action = onAnnotate ? 'Annotate or download the chart' : 'Download the chart';
  const { range, comparison } = answer;
  const metric = METRIC_FORMATS[view.metric].name;
  const dates = formatRange(range);
  const fileName = `${name} ${metric} ${dates}`;
  const subtitle = comparison ? `${dates}. ${describeComparison(comparison)}` : dates;

  const act = (make: () => Promise<void>) => async () => {
    setFault('');
    try {
      await make();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setFault(message);
      announce(message);
    }
  };
  const saveTable = act(() => {
    const question = { ...toQuestion(view), ...toComparisonQuestion(view), interval: range.interval };
    return download(place, '/stats/timeseries', question, fileName);
  });
  const savePicture = act(async () => {
    const svg = frame.current?.querySelector<SVGSVGElement>('.chart-picture');
    if (!svg) return;
    const { toPicture } = await import('../charts/picture.ts');
    saveFile(await toPicture(svg, `${name}: ${metric}`, subtitle), `${fileName.replace(/[/\\:]/g, '-')}.png`);
  });
  const savePage = act(async () => {
    const page = frame.current?.closest('.page');
    if (!page) return;
    const { toPagePicture } = await import('../charts/page-picture.ts');
    saveFile(await toPagePicture(page, name, subtitle), `${`${name} ${dates}`.replace(/[/\\:]/g, '-')}.png`);
  });

  return (
    <Menu
      align="end"
      isIcon
      name={fault ? `${action}: failed, ${fault}` : action}
      label={
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={onAnnotate ? DOTS : ARROW} />
        </svg>
      }
    >
      {onAnnotate && (
        <button type="button" onClick={onAnnotate}>
          Annotate…
        </button>
      )}
      <button type="button" onClick={() => void saveTable()}>
        Table (CSV)
      </button>
      {view.chart !== 'table' && (
        <button type="button" onClick={() => void savePicture()}>
          Picture (PNG)
        </button>
      )}
      <button type="button" onClick={() => void savePage()}>
        Whole page (PNG)
      </button>
    </Menu>
  );
}
