import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { SavedSegment } from '../../contract/segment.ts';
import { NAME_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { askAgain, useAnswer } from '../api/use-answer.ts';
import { useGoals } from '../api/use-goals.ts';
import { SEGMENT } from '../api/use-segments.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, ChoiceField, Field, Form } from '../components/Form.tsx';
import { Problem } from '../components/Problem.tsx';
import { describeCondition } from '../state/describe-condition.ts';
import { type Filter, toCondition } from '../state/view-state.ts';

type Props = {
  place: Place;
  /** Filters that are shown. */
  filters: Filter[];
  /** Id of the segment to change; without it, the filters become a new one. */
  id?: string | undefined;
  onChange: (filters: Filter[]) => void;
  onClose: () => void;
};

const USERS = {
  website: 'Everyone who manages the website',
  public: 'Everyone, on the public dashboard too',
  own: 'Only you',
} as const;

/** Saves filters as a segment, or changes a segment. */
export function SegmentDialog({ place, filters, id, onChange, onClose }: Props) {
  const path = `/websites/${encodeURIComponent(place.websiteId)}/segments`;
  const [isDeleting, setDeleting] = useState(false);
  const { answer, fault, retry } = useAnswer(id === undefined ? undefined : `segment ${id}`, (signal) =>
    call<SavedSegment>('GET', `${path}/${id}`, { signal }),
  );
  const goals = useGoals(place).answer?.goals ?? [];
  const own = filters.filter(({ dimension }) => dimension !== SEGMENT);
  const others = filters.filter(({ dimension }) => dimension === SEGMENT);

  async function save(values: Record<string, string>): Promise<void> {
    const { name, users, replaces } = values;
    const shown = own.map(toCondition);
    const given = { name, isOwn: users === 'own', isPublic: users === 'public' };
    if (id === undefined) {
      const body = { ...given, filters: shown };
      const made = await call<SavedSegment>('POST', path, { body });
      onChange([...others, { operator: 'is', dimension: SEGMENT, values: [made.id] }]);
    } else {
      const body = { ...given, ...(replaces === 'on' && { filters: shown }) };
      await call('PATCH', `${path}/${id}`, { body });
      if (replaces === 'on') onChange(others);
    }
    onClose();
    askAgain();
    announce('Segment saved.');
  }

  async function remove(): Promise<void> {
    await call('DELETE', `${path}/${id}`);
    onChange(filters.filter(({ dimension, values }) => dimension !== SEGMENT || !values.includes(id ?? '')));
    onClose();
    askAgain();
    announce('Segment deleted.');
  }

  if (isDeleting)
    return (
      <DangerDialog
        title={`Delete “${answer?.name ?? ''}”?`}
        action="Delete segment"
        onAct={remove}
        onClose={onClose}
      >
        Links that use it stop working. No events are lost.
      </DangerDialog>
    );
  return (
    <Dialog title={id === undefined ? 'Save as a segment' : 'Edit segment'} onClose={onClose}>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {(id === undefined || answer) && (
        <Form
          action="Save"
          onSend={save}
          fieldOf={{ filters: 'name', isPublic: 'users' }}
          aside={
            id !== undefined && (
              <button type="button" class="plain" onClick={() => setDeleting(true)}>
                Delete…
              </button>
            )
          }
        >
          {answer && answer.faults.length > 0 && (
            <p class="fault">
              A goal that it uses was deleted. Set other filters, then replace its own here.
            </p>
          )}
          <Conditions of={answer?.filters ?? own.map(toCondition)} goals={goals} />
          <Field
            name="name"
            label="Name"
            value={answer?.name ?? ''}
            maxLength={NAME_LENGTH_MAX}
            placeholder="Readers from Germany"
          />
          <ChoiceField name="users" label="Who may use it" names={USERS} value={usersOf(answer)} />
          {id !== undefined && own.length > 0 && (
            <Check name="replaces">Replace its filters with the current ones</Check>
          )}
        </Form>
      )}
    </Dialog>
  );
}

function usersOf(segment: SavedSegment | undefined): keyof typeof USERS {
  if (segment?.isOwn) return 'own';
  return segment?.isPublic ? 'public' : 'website';
}

type ConditionsProps = { of: readonly unknown[]; goals: readonly Goal[] };

function Conditions({ of: filters, goals }: ConditionsProps) {
  return (
    <ul class="segment-filters">
      {filters.map((filter, index) => (
        <li key={index}>
          <bdi>{describeCondition(filter, goals)}</bdi>
        </li>
      ))}
    </ul>
  );
}
