import { useState } from 'preact/hooks';
import { type Dimension, FILTER_OPERATORS, type FilterOperator } from '../../analytics/vocabulary.ts';
import { SEARCH_LENGTH_MAX } from '../../contract/vocabulary.ts';
import { Choice, NamedChoice } from '../components/Choice.tsx';
import { CloseIcon } from '../components/CloseIcon.tsx';
import { Combobox } from '../components/Combobox.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { nameOfValue } from '../value-names.ts';
import { FIRST_SEEN, type Filter, type Scope, splitScope, type ViewState, withScope } from '../view-state.ts';
import { nameOfDimension } from './dimension-names.ts';
import { FirstSeen } from './FirstSeen.tsx';
import {
  type FilterOption,
  isChosen,
  PROPERTY,
  useOptionsOf,
  useOptionsOfAll,
  usePropertyKeys,
} from './filter-options.ts';
import { OPERATOR_NAMES } from './filter-words.ts';
import type { Place } from './place.ts';
import type { MaySee } from './visibility.ts';

type Props = {
  place: Place;
  view: ViewState;
  /** What it may be about; by default anything. */
  maySee?: MaySee;
  /** The one to edit; a new one without. */
  index?: number | undefined;
  onChange: (filters: Filter[]) => void;
  onClose: () => void;
};

/** A condition by hand. A value that is found among all of them is one at once; a dimension leads to its values. */
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
      maxLength={SEARCH_LENGTH_MAX}
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
      maxLength={SEARCH_LENGTH_MAX}
      onPick={onPick}
    />
  );
}

type ConditionProps = StepProps & {
  dimension: string;
  before: Filter | undefined;
  onSave: (filter: Filter) => void;
};

const SCOPE_CHOICES: Record<Scope, string> = {
  has_done: 'any event of the visit',
  first_visit: "any event of the visitor's first visit",
};

/** Operator and values of one dimension, and of which events. */
function Condition({ place, view, dimension, before, onSave }: ConditionProps) {
  const [operator, setOperator] = useState<FilterOperator>(before?.operator ?? 'is');
  const [scope, setScope] = useState(before && splitScope(before.dimension).scope);
  const [values, setValues] = useState(before?.values ?? []);
  const [text, setText] = useState('');
  const { options, isBusy } = useOptionsOf({ place, view, text, dimension });
  const isExact = operator === 'is' || operator === 'is_not';
  // Countries and languages are stored as codes, which contain nothing that anybody would type.
  const operators = isChosen(dimension) ? (['is', 'is_not'] as const) : FILTER_OPERATORS;
  const typed = text.trim();
  const asTyped: FilterOption = {
    key: 'typed',
    dimension,
    value: typed,
    label: `${isExact ? 'contains ' : ''}“${typed}”`,
  };
  const isTypable = typed !== '' && !isChosen(dimension);
  const offered = options.filter(({ value }) => !values.includes(value ?? ''));
  const ordered = !isTypable ? offered : isExact ? [...offered, asTyped] : [asTyped, ...offered];

  function pick(option: FilterOption): void {
    const isContained = option.key === 'typed' && isExact;
    if (isContained) setOperator(operator === 'is' ? 'contains' : 'contains_not');
    // What was chosen to be the same is nothing to be contained.
    setValues([...new Set([...(isContained ? [] : values), option.value ?? ''])]);
    setText('');
  }

  return (
    <form
      class="condition"
      onSubmit={(event) => {
        event.preventDefault();
        if (values.length > 0) onSave({ operator, dimension: withScope(scope, dimension), values });
      }}
    >
      <div class="condition-head">
        <strong>{nameOfDimension(dimension)}</strong>
        <Choice
          aria-label="Match"
          names={OPERATOR_NAMES}
          among={operators}
          value={operator}
          onChange={setOperator}
        />
      </div>
      {values.length > 0 && (
        <ul class="chosen">
          {values.map((value) => (
            <li key={value} class="chip">
              <span class="chip-text">
                <bdi>{nameOfValue(dimension as Dimension, value || null)}</bdi>
              </span>
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${value}`}
                onClick={() => setValues(values.filter((other) => other !== value))}
              >
                <CloseIcon size={11} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label={`Value of ${nameOfDimension(dimension)}`}
        placeholder={values.length > 0 ? 'Add another value' : 'Search values'}
        text={text}
        onText={setText}
        options={ordered}
        isBusy={isBusy}
        none="Nothing found."
        maxLength={SEARCH_LENGTH_MAX}
        onPick={pick}
      />
      <div class="condition-scope">
        <NamedChoice
          label="Applies to"
          names={{ '': 'the event or its visit', ...SCOPE_CHOICES }}
          value={scope ?? ''}
          onChange={(chosen) => setScope(chosen || undefined)}
        />
      </div>
      <div class="form-end">
        <button type="submit" class="primary" aria-disabled={values.length === 0}>
          {before ? 'Save' : 'Add filter'}
        </button>
        <span class="hint">Matches any of the values.</span>
      </div>
    </form>
  );
}
