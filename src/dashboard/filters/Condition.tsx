import { useState } from 'preact/hooks';
import { type Dimension, FILTER_OPERATORS, type FilterOperator } from '../../vocabulary/analytics.ts';
import type { Place } from '../api/place.ts';
import { Choice, NamedChoice } from '../components/Choice.tsx';
import { CloseIcon } from '../components/CloseIcon.tsx';
import { Combobox } from '../components/Combobox.tsx';
import { OPERATOR_NAMES } from '../state/describe-filter.ts';
import { nameOfDimension } from '../state/dimension-names.ts';
import { nameOfValue } from '../state/value-names.ts';
import { type Filter, type Scope, splitScope, type ViewState, withScope } from '../state/view-state.ts';
import { type FilterOption, isChosen, useOptionsOf } from './filter-options.ts';

type Props = {
  place: Place;
  view: ViewState;
  dimension: string;
  /** The filter to edit; without it, a new one. */
  before: Filter | undefined;
  onSave: (filter: Filter) => void;
};

const SCOPE_CHOICES: Record<Scope, string> = {
  has_done: 'anywhere in the visit',
  has_not_done: 'nowhere in the visit',
  first_visit: 'in the first visit',
};

/** Form for operator, values and scope of a filter on one dimension. */
export function Condition({ place, view, dimension, before, onSave }: Props) {
  const [operator, setOperator] = useState<FilterOperator>(before?.operator ?? 'is');
  const [scope, setScope] = useState(before && splitScope(before.dimension).scope);
  const [values, setValues] = useState(before?.values ?? []);
  const [text, setText] = useState('');
  const { options, isBusy } = useOptionsOf({ place, view, text, dimension });
  const isExact = operator === 'is' || operator === 'is_not';
  // Countries and languages are stored as codes, which contain no text that a user would type.
  const operators = isChosen(dimension) ? (['is', 'is_not'] as const) : FILTER_OPERATORS;

  function pick(option: FilterOption): void {
    const isContained = option.key === 'typed' && isExact;
    if (isContained) setOperator(operator === 'is' ? 'contains' : 'contains_not');
    // Values chosen for equality are not texts to be contained.
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
          aria-label="Operator"
          names={OPERATOR_NAMES}
          among={operators}
          value={operator}
          onChange={setOperator}
        />
      </div>
      {values.length > 0 && (
        <ChosenValues
          dimension={dimension}
          values={values}
          onRemove={(value) => setValues(values.filter((other) => other !== value))}
        />
      )}
      <Combobox
        label={`Value of ${nameOfDimension(dimension)}`}
        placeholder={values.length > 0 ? 'Add another value' : 'Search values'}
        text={text}
        onText={setText}
        options={offer({ options, values, dimension, typed: text.trim(), isExact })}
        isBusy={isBusy}
        none="Nothing found."
        onPick={pick}
      />
      <div class="condition-scope">
        <NamedChoice
          label="Match"
          names={{ '': 'this event', ...SCOPE_CHOICES }}
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

type ChosenProps = { dimension: string; values: string[]; onRemove: (value: string) => void };

function ChosenValues({ dimension, values, onRemove }: ChosenProps) {
  return (
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
            onClick={() => onRemove(value)}
          >
            <CloseIcon size={11} />
          </button>
        </li>
      ))}
    </ul>
  );
}

type Offer = {
  options: FilterOption[];
  values: string[];
  dimension: string;
  typed: string;
  isExact: boolean;
};

/** Values that are not chosen yet, and the typed text: last among exact values, or else first. */
function offer({ options, values, dimension, typed, isExact }: Offer): FilterOption[] {
  const others = options.filter(({ value }) => !values.includes(value ?? ''));
  if (typed === '' || isChosen(dimension)) return others;
  const asTyped: FilterOption = {
    key: 'typed',
    dimension,
    value: typed,
    label: `${isExact ? 'contains ' : ''}“${typed}”`,
  };
  return isExact ? [...others, asTyped] : [asTyped, ...others];
}
