import { useState } from 'preact/hooks';
import type { Place } from '../api/place.ts';
import { Combobox } from '../components/Combobox.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { nameOfDimension } from '../state/dimension-names.ts';
import { FIRST_SEEN, type Filter, splitScope, type ViewState } from '../state/view-state.ts';
import type { MaySee } from '../state/visibility.ts';
import { Condition } from './Condition.tsx';
import { FirstSeen } from './FirstSeen.tsx';
import { type FilterOption, PROPERTY, useOptionsOfAll, usePropertyKeys } from './filter-options.ts';

type Props = {
  place: Place;
  view: ViewState;
  /** Dimensions that may be filtered by; all by default. */
  maySee?: MaySee;
  /** Index of the filter to edit; without it, a new one. */
  index?: number | undefined;
  onChange: (filters: Filter[]) => void;
  onClose: () => void;
};

/** Form for a filter. A value picked from the search is a filter at once; a dimension leads to its values. */
export function FilterDialog({ place, view, maySee = () => true, index, onChange, onClose }: Props) {
  const before = index === undefined ? undefined : view.filters[index];
  const chosen = before && splitScope(before.dimension).own;
  const [dimension, setDimension] = useState(chosen);

  function save(filter: Filter): void {
    onChange(index === undefined ? [...view.filters, filter] : view.filters.with(index, filter));
  }

  return (
    <Dialog title={before ? 'Edit filter' : 'Add a filter'} onClose={onClose}>
      {dimension === undefined ? (
        <AnyValue
          place={place}
          view={view}
          maySee={maySee}
          onPick={({ dimension: picked, value, operator = 'is' }) => {
            if (value === undefined) setDimension(picked);
            else save({ operator, dimension: picked, values: [value] });
          }}
        />
      ) : dimension === FIRST_SEEN ? (
        <FirstSeen before={before?.dimension === dimension ? before : undefined} onSave={save} />
      ) : dimension === PROPERTY ? (
        <PropertyKey place={place} view={view} onPick={(option) => setDimension(option.dimension)} />
      ) : (
        <Condition
          key={dimension}
          place={place}
          view={view}
          dimension={dimension}
          before={chosen === dimension ? before : undefined}
          onSave={save}
        />
      )}
    </Dialog>
  );
}

type StepProps = { place: Place; view: ViewState };
type PickProps = StepProps & { onPick: (option: FilterOption) => void };

function AnyValue({ place, view, maySee, onPick }: PickProps & { maySee: MaySee }) {
  const [text, setText] = useState('');
  const { options, isBusy } = useOptionsOfAll({ place, view, text, maySee });
  const typed = text.trim();
  const asTyped: FilterOption = {
    key: 'contains',
    kind: nameOfDimension('page'),
    dimension: 'page',
    operator: 'contains',
    value: typed,
    label: `contains “${typed}”`,
  };
  const withTyped = typed === '' || isBusy ? options : [...options, asTyped];
  return (
    <Combobox
      label="Search pages, sources, countries…"
      placeholder="Search pages, sources, countries…"
      text={text}
      onText={setText}
      options={withTyped}
      isBusy={isBusy}
      none="Nothing found."
      onPick={onPick}
    />
  );
}

function PropertyKey({ place, view, onPick }: PickProps) {
  const [text, setText] = useState('');
  const { options, isBusy } = usePropertyKeys({ place, view, text });
  return (
    <Combobox
      label="Property"
      placeholder="Which property?"
      text={text}
      onText={setText}
      options={options}
      isBusy={isBusy}
      none="No events have this property."
      onPick={onPick}
    />
  );
}
