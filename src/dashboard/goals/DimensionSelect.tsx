import { DIMENSION_NAMES } from '../../contract/dimensions.ts';
import type { ViewState } from '../view-state.ts';
import { nameOfDimension } from '../website/dimension-names.ts';
import { usePropertyKeys } from '../website/filter-options.ts';
import type { Place } from '../website/place.ts';

type Props = {
  label: string;
  place: Place;
  view: ViewState;
  value: string;
  onChange: (dimension: string) => void;
};

const NAMES = Object.keys(DIMENSION_NAMES);

/** Any dimension: those of the service, and the properties that events of these days carry. */
export function DimensionSelect({ label, place, view, value, onChange }: Props) {
  const { options } = usePropertyKeys({ place, view, text: '' });
  const keys = options.map(({ dimension }) => dimension);
  const properties = [...(NAMES.includes(value) || keys.includes(value) ? [] : [value]), ...keys];
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {NAMES.map((name) => (
        <option key={name} value={name}>
          {nameOfDimension(name)}
        </option>
      ))}
      {properties.map((name) => (
        <option key={name} value={name}>
          {nameOfDimension(name)}
        </option>
      ))}
    </select>
  );
}
