import { DIMENSION_NAMES } from '../../vocabulary/dimensions.ts';
import type { Place } from '../api/place.ts';
import { Choice } from '../components/Choice.tsx';
import { nameOfDimension } from '../state/dimension-names.ts';
import type { ViewState } from '../state/view-state.ts';
import { usePropertyKeys } from './filter-options.ts';

type Props = {
  place: Place;
  view: ViewState;
  value: string;
  onChange: (dimension: string) => void;
};

const DIMENSIONS = Object.keys(DIMENSION_NAMES);

/** Choice of the dimension to group by: one of the service's, or a property of events in the range. */
export function DimensionSelect({ place, view, value, onChange }: Props) {
  const { options } = usePropertyKeys({ place, view, text: '' });
  const keys = options.map(({ dimension }) => dimension);
  const all = [...new Set([...DIMENSIONS, value, ...keys])];
  return (
    <Choice
      aria-label="Group by"
      names={Object.fromEntries(all.map((name) => [name, nameOfDimension(name)]))}
      value={value}
      onChange={onChange}
    />
  );
}
