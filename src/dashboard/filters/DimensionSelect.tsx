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

/** What a report is grouped by: any dimension, those of the service, and the properties that events of these days carry. */
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
