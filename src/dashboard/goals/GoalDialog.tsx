import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import { GOAL_CLICKS, GOAL_MATCH_LENGTH_MAX, NAME_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, ChoiceField, Field, Form } from '../components/Form.tsx';
import { CLICK_NAMES, GOAL_TYPE_NAMES } from './describe-goal.ts';
import { formOfProperty, toGoalBody } from './goal-form.ts';

type Props = {
  /** The goal to change; without it, a new one. */
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
    hint: '* matches one part of a path, ** any number: /blog/*, /docs/**',
  },
  event: {
    label: 'Event name',
    placeholder: 'purchase',
    hint: "As in AnalyticsTracker.track('purchase')",
  },
};

/** Form for a goal. */
export function GoalDialog({ goal, onSave, onDelete, onClose }: Props) {
  const [type, setType] = useState(goal?.type ?? 'page');
  const isMatch = goal?.type === type;
  return (
    <Dialog title={goal ? 'Edit goal' : 'Add a goal'} onClose={onClose}>
      <Form
        action={goal ? 'Save' : 'Add goal'}
        onSend={(values) => onSave(toGoalBody(values, goal))}
        fieldOf={{ value: 'amount', properties: 'key' }}
        aside={
          goal && (
            <>
              <ActionButton onAct={() => onSave({ isArchived: !goal.isArchived })}>
                {goal.isArchived ? 'Restore' : 'Archive'}
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
        <ChoiceField name="type" label="Reached by" names={GOAL_TYPE_NAMES} value={type} onChange={setType} />
        {type === 'click' ? (
          <ChoiceField
            name="match"
            label="Links"
            names={CLICK_NAMES}
            value={isMatch ? goal.match : GOAL_CLICKS[0]}
          />
        ) : (
          <Field
            key={type}
            name="match"
            {...MATCH_FIELDS[type]}
            value={isMatch ? goal.match : ''}
            maxLength={GOAL_MATCH_LENGTH_MAX}
          />
        )}
        <More goal={goal} />
      </Form>
    </Dialog>
  );
}

/** Fields that most goals do not need. */
function More({ goal }: { goal: Goal | undefined }) {
  const property = formOfProperty(goal);
  return (
    <details open={goal?.value != null || property.key !== ''}>
      <summary>More options</summary>
      <div class="money-fields">
        <Field
          name="amount"
          label="Worth"
          value={goal?.value?.amount ?? ''}
          placeholder="19.90"
          hint="Optional: what one conversion is worth."
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
          value={property.key}
          placeholder="plan"
          hint="Count only events that have it."
        />
        <Field
          name="values"
          label={property.label}
          value={property.texts}
          placeholder="pro, team"
          hint="Leave empty for any value."
        />
      </div>
      <Check name="isPublic" isChecked={goal?.isPublic ?? false}>
        Show it on the public dashboard
      </Check>
    </details>
  );
}
