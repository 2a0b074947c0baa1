import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import {
  GOAL_CLICKS,
  GOAL_MATCH_LENGTH_MAX,
  GOAL_TYPES,
  NAME_LENGTH_MAX,
} from '../../contract/vocabulary.ts';
import { ApiError } from '../api/client.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field, Form, LabelledControl } from '../components/Form.tsx';
import { CLICK_NAMES, GOAL_TYPE_NAMES } from './goal-words.ts';

type Props = {
  /** The one to change; a new one without. */
  goal?: Goal | undefined;
  /** Sends it. @throws ApiError */
  onSave: (body: object) => Promise<unknown>;
  onDelete: (goal: Goal) => void;
  onClose: () => void;
};

const MATCH_FIELDS = {
  page: {
    label: 'Page',
    placeholder: '/thanks',
    hint: '* stands for one part of a path, ** for any number: /blog/*, /docs/**',
  },
  event: {
    label: 'Name of the event',
    placeholder: 'purchase',
    hint: "As in AnalyticsTracker.track('purchase')",
  },
};

/** A goal by hand. */
export function GoalDialog({ goal, onSave, onDelete, onClose }: Props) {
  const [type, setType] = useState(goal?.type ?? 'page');
  const [property] = goal?.properties ?? [];
  const isMatch = goal?.type === type;
  return (
    <Dialog title={goal ? 'Change goal' : 'Add a goal'} onClose={onClose}>
      <Form
        action={goal ? 'Save' : 'Add goal'}
        onSend={(values) => onSave(toBody(values, goal)).catch(toOwnFields)}
        aside={
          goal && (
            <>
              <ActionButton onAct={() => onSave({ isArchived: !goal.isArchived })}>
                {goal.isArchived ? 'Bring back' : 'Archive'}
              </ActionButton>
              <button type="button" class="plain" onClick={() => onDelete(goal)}>
                Delete…
              </button>
            </>
          )
        }
      >
        <Field
          name="name"
          label="Name"
          value={goal?.name ?? ''}
          maxLength={NAME_LENGTH_MAX}
          placeholder="Purchase"
        />
        <LabelledControl name="type" label="Reached by">
          {(attributes) => (
            <select
              {...attributes}
              onChange={({ currentTarget }) =>
                setType(GOAL_TYPES.find((name) => name === currentTarget.value) ?? 'page')
              }
            >
              {GOAL_TYPES.map((name) => (
                <option key={name} value={name} selected={name === type}>
                  {GOAL_TYPE_NAMES[name]}
                </option>
              ))}
            </select>
          )}
        </LabelledControl>
        {type === 'click' ? (
          <LabelledControl name="match" label="Which links">
            {(attributes) => (
              <select {...attributes}>
                {GOAL_CLICKS.map((name) => (
                  <option key={name} value={name} selected={isMatch && goal.match === name}>
                    Links {CLICK_NAMES[name]}
                  </option>
                ))}
              </select>
            )}
          </LabelledControl>
        ) : (
          <Field
            key={type}
            name="match"
            {...MATCH_FIELDS[type]}
            value={isMatch ? goal.match : ''}
            maxLength={GOAL_MATCH_LENGTH_MAX}
          />
        )}
        <details open={goal?.value != null || property !== undefined}>
          <summary>More</summary>
          <div class="money-fields">
            <Field
              name="amount"
              label="Worth"
              value={goal?.value?.amount ?? ''}
              placeholder="19.90"
              hint="What one is worth, if you like."
            />
            <Field
              name="currency"
              label="Currency"
              value={goal?.value?.currency ?? ''}
              placeholder="EUR"
              maxLength={3}
            />
          </div>
          <div class="property-fields">
            <Field
              name="key"
              label="Property"
              value={property?.key ?? ''}
              placeholder="plan"
              hint="Only events that carry it."
            />
            <Field
              name="values"
              label="Is one of"
              value={property?.values.join(', ') ?? ''}
              placeholder="pro, team"
            />
          </div>
          <label class="check">
            <input type="checkbox" name="isPublic" defaultChecked={goal?.isPublic ?? false} /> Show it on the
            public dashboard
          </label>
        </details>
      </Form>
    </Dialog>
  );
}

function toBody(values: Record<string, string>, goal: Goal | undefined): object {
  const { name, type, match, amount = '', currency = '', key = '', isPublic } = values;
  const value = amount === '' && currency === '' ? null : { amount, currency: currency.trim().toUpperCase() };
  return {
    name,
    type,
    match,
    value,
    properties: toProperties(key.trim(), values.values ?? '', goal),
    isPublic: isPublic === 'on',
  };
}

/** The form knows one condition; what else a program has set stays. */
function toProperties(key: string, texts: string, goal: Goal | undefined): Goal['properties'] {
  const [first, ...others] = goal?.properties ?? [];
  if (key === '') return others;
  const values = texts.split(',').map((text) => text.trim());
  return [{ key, operator: first?.key === key ? first.operator : 'is', values }, ...others];
}

/** Two fields of the form are one of the API. */
function toOwnFields(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const { status, code, message, fieldErrors } = error;
  const { value, properties, ...others } = fieldErrors;
  throw new ApiError(status, code, message, {
    ...others,
    ...(value && { amount: value }),
    ...(properties && { key: properties }),
  });
}
