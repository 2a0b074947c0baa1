import { useId, useState } from 'preact/hooks';
import { type Dimension, FILTER_OPERATORS } from '../../analytics/vocabulary.ts';
import type { Values } from '../../contract/metrics.ts';
import { PROPERTY_KEY_LENGTH_MAX, URL_LENGTH_MAX } from '../../contract/vocabulary.ts';
import { ApiError } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form, LabelledControl } from '../components/Form.tsx';
import { nameOfValue, valueOfName } from '../value-names.ts';
import { type Filter, toQuestion, type ViewState } from '../view-state.ts';
import { DIMENSION_NAMES } from './dimension-names.ts';
import { OPERATOR_NAMES } from './FilterBar.tsx';
import { ask, type Place } from './place.ts';
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

const PROPERTY = 'property:';
const NAMED = /^(country|language)$/;
const NAMED_MAX = 1_000;

/** A condition by hand: dimension, operator, value; what there is to choose from is offered while typing. */
export function FilterDialog({ place, view, maySee = () => true, index, onChange, onClose }: Props) {
  const before = index === undefined ? undefined : view.filters[index];
  const isProperty = before?.dimension.startsWith(PROPERTY) ?? false;
  const [dimension, setDimension] = useState(isProperty ? PROPERTY : (before?.dimension ?? 'page'));
  const [key, setKey] = useState(isProperty ? (before?.dimension.slice(PROPERTY.length) ?? '') : '');
  const [values, setValues] = useState(before?.values ?? []);
  const [text, setText] = useState('');
  const asked = dimension === PROPERTY ? PROPERTY + key : dimension;

  const offered = useOffered(place, view, asked, text);

  async function send({ operator: chosen = 'is', value = '' }: Record<string, string>): Promise<void> {
    const all =
      value.trim() === '' ? values : [...values, valueOfName(asked as Dimension, value.trim(), offered)];
    if (dimension === PROPERTY && key === '') throw missing('key', 'Which property?');
    if (all.length === 0) throw missing('value', 'Type a value, or choose one');
    const operator = FILTER_OPERATORS.find((name) => name === chosen) ?? 'is';
    const filter: Filter = { operator, dimension: asked, values: [...new Set(all)] };
    onChange(index === undefined ? [...view.filters, filter] : view.filters.with(index, filter));
  }

  return (
    <Dialog title={before ? 'Edit filter' : 'Add a filter'} onClose={onClose}>
      <Form action={before ? 'Save' : 'Add filter'} onSend={send}>
        <LabelledControl name="dimension" label="What">
          {(attributes) => (
            <select
              {...attributes}
              onChange={({ currentTarget }) => {
                setDimension(currentTarget.value);
                setValues([]);
              }}
            >
              {[...Object.entries(DIMENSION_NAMES), [PROPERTY, 'Property of an event…'] as const]
                .filter(([name]) => maySee(name))
                .map(([name, label]) => (
                  <option key={name} value={name} selected={name === dimension}>
                    {label}
                  </option>
                ))}
            </select>
          )}
        </LabelledControl>
        {dimension === PROPERTY && (
          <LabelledControl name="key" label="Property">
            {(attributes) => (
              <input
                type="text"
                value={key}
                maxLength={PROPERTY_KEY_LENGTH_MAX}
                onInput={({ currentTarget }) => setKey(currentTarget.value)}
                {...attributes}
              />
            )}
          </LabelledControl>
        )}
        <LabelledControl name="operator" label="Condition">
          {(attributes) => (
            <select {...attributes}>
              {FILTER_OPERATORS.map((name) => (
                <option key={name} value={name} selected={name === (before?.operator ?? 'is')}>
                  {OPERATOR_NAMES[name]}
                </option>
              ))}
            </select>
          )}
        </LabelledControl>
        <ValueControl
          dimension={asked as Dimension} // what it need not be has no names for its values
          offered={offered}
          values={values}
          onValues={setValues}
          text={text}
          onText={setText}
        />
      </Form>
    </Dialog>
  );
}

/** What there is to choose from. */
function useOffered(place: Place, view: ViewState, dimension: string, text: string): string[] {
  // Names of countries and languages are the browser's; the service searches in what it stores.
  const search = NAMED.test(dimension) ? { limit: NAMED_MAX } : { search: text || undefined };
  const { filters: _, ...range } = toQuestion(view);
  const question = { ...range, dimension, ...search };
  const { answer } = useAnswer(
    dimension === PROPERTY ? undefined : `values ${place.base} ${JSON.stringify(question)}`,
    (signal) => ask<Values>(place, '/stats/values', question, signal),
  );
  return answer?.dimension === dimension ? answer.values.map(({ value }) => value) : [];
}

type ValueControlProps = {
  dimension: Dimension;
  offered: string[];
  values: string[];
  onValues: (values: string[]) => void;
  text: string;
  onText: (text: string) => void;
};

function ValueControl({ dimension, offered, values, onValues, text, onText }: ValueControlProps) {
  const listId = useId();
  return (
    <>
      <LabelledControl
        name="value"
        label="Value"
        hint="Several values are alternatives: press Enter after each."
      >
        {(attributes) => (
          <input
            type="text"
            autocomplete="off"
            list={listId}
            maxLength={URL_LENGTH_MAX}
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return;
              event.preventDefault(); // the next Enter, with nothing typed, sends the form
              onValues([...new Set([...values, valueOfName(dimension, text.trim(), offered)])]);
              onText('');
            }}
            {...attributes}
          />
        )}
      </LabelledControl>
      <datalist id={listId}>
        {offered.map((value) => (
          <option key={value} value={nameOfValue(dimension, value)} />
        ))}
      </datalist>
      {values.length > 0 && (
        <ul class="chosen">
          {values.map((value) => (
            <li key={value} class="chip">
              <span class="chip-text">
                <bdi>{nameOfValue(dimension, value || null)}</bdi>
              </span>
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${value}`}
                onClick={() => onValues(values.filter((other) => other !== value))}
              >
                <svg viewBox="0 0 16 16" width="11" height="11" aria-hidden="true">
                  <path d="M3 3l10 10M13 3L3 13" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function missing(field: string, message: string): ApiError {
  return new ApiError(400, 'VALIDATION_ERROR', message, { [field]: [message] });
}
