import type { Breakdown } from '../../contract/metrics/stats.ts';
import { ApiError } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { Problem } from '../components/Problem.tsx';
import { useMap } from '../map/use-map.ts';
import { editFilters, editOf } from '../state/filter-edits.ts';
import { type Outcome, toGoalListQuestion } from '../state/outcome.ts';
import type { ViewChanges } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { toTabQuestion } from './panels.ts';

type Props = {
  place: Place;
  view: ViewState;
  outcome: Outcome;
  /** The page already shows the fault. */
  isReported: boolean;
  onChange: (changes: ViewChanges) => void;
};

const COUNTRIES = { dimension: 'country', label: 'Countries' } as const;
/** More countries than there are. */
const COUNTRIES_MAX = 300;

/** Map of visitors by country; its code and borders load when it is first shown. */
export function LocationMap({ place, view, outcome, isReported, onChange }: Props) {
  const { map, hasFailed } = useMap();
  const { answer, fault, retry } = useReport<Breakdown>(place, '/stats/breakdown', {
    ...toTabQuestion(outcome.view, COUNTRIES),
    ...toGoalListQuestion(outcome),
    limit: COUNTRIES_MAX,
  });
  if (fault && !isReported) return <Problem fault={fault} onRetry={retry} />;
  if (hasFailed)
    return (
      <Problem
        fault={new ApiError(0, 'UNREACHABLE', 'The map could not be loaded.')}
        onRetry={() => location.reload()}
      />
    );
  if (!map) return <div class="map map-waiting" />;
  const { WorldMap, shapes } = map;
  return (
    <WorldMap
      label="Visitors by country"
      shapes={shapes}
      rows={answer?.rows ?? []}
      onPick={(code, event) =>
        onChange({ filters: editFilters(view.filters, COUNTRIES.dimension, code, editOf(event)) })
      }
    />
  );
}
