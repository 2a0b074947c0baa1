import { FUNNEL_STEPS_MAX } from '../../analytics/vocabulary.ts';
import type { Goal } from '../../contract/goal.ts';
import { Choice, NamedChoice } from '../components/Choice.tsx';
import { CloseIcon } from '../components/CloseIcon.tsx';
import type { FunnelState, FunnelStep, StepKind } from '../funnel-state.ts';
import { nameOfGoal, withoutArchived } from './use-goals.ts';

type Props = {
  funnel: FunnelState;
  /** Archived ones too, which are not offered. */
  goals: Goal[];
  onChange: (funnel: FunnelState) => void;
};

const KIND_NAMES: Record<StepKind, string> = {
  goal: 'Goal',
  page: 'Page',
  event: 'Event',
  any: 'Any page',
  filter: 'Conditions',
};
const KINDS = Object.keys(KIND_NAMES) as StepKind[];
const UNITS = { visitor: 'visitors', visit: 'visits' };
const ORDERS = { loose: 'anything', strict: 'clicks only' };
const WINDOWS: Record<string, string> = {
  '': 'Any time',
  '30m': '30 minutes',
  '1h': '1 hour',
  '1d': '1 day',
  '7d': '7 days',
  '30d': '30 days',
};

/** The steps of a funnel, and what may lie between them. */
export function FunnelSteps({ funnel, goals, onChange }: Props) {
  const { steps, by, order, window } = funnel;
  const active = withoutArchived(goals);
  const set = (index: number, step: FunnelStep) => onChange({ ...funnel, steps: steps.with(index, step) });
  const firstOf = (kind: StepKind) =>
    kind === 'goal' ? (active[0]?.name ?? '') : kind === 'page' ? '/' : '';
  return (
    <fieldset class="card funnel-steps">
      <legend class="unseen">Steps</legend>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>
            <span class="quiet-text number">{index + 1}</span>
            <Choice
              aria-label={`Step ${index + 1}: kind`}
              names={KIND_NAMES}
              among={KINDS.filter((kind) => kind === step.kind || isOffered(kind, active))}
              value={step.kind}
              onChange={(kind) => set(index, { kind, value: firstOf(kind) })}
            />
            {step.kind === 'goal' && (
              <Choice
                class="funnel-value"
                aria-label={`Step ${index + 1}: goal`}
                names={namesOfGoals(step.value, goals)}
                value={step.value}
                onChange={(value) => set(index, { ...step, value })}
              />
            )}
            {(step.kind === 'page' || step.kind === 'event') && (
              <input
                class="funnel-value"
                aria-label={`Step ${index + 1}: ${KIND_NAMES[step.kind].toLowerCase()}`}
                value={step.value}
                placeholder={step.kind === 'page' ? '/pricing, /docs/**' : 'signup'}
                onChange={({ currentTarget }) => set(index, { ...step, value: currentTarget.value.trim() })}
              />
            )}
            {step.kind === 'filter' && <code class="funnel-value funnel-conditions">{step.value}</code>}
            {steps.length > 2 && (
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove step ${index + 1}`}
                onClick={() => onChange({ ...funnel, steps: steps.toSpliced(index, 1) })}
              >
                <CloseIcon size={12} />
              </button>
            )}
          </li>
        ))}
      </ol>
      <div class="funnel-options">
        {steps.length < FUNNEL_STEPS_MAX && (
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              const kind = active.length > 0 ? 'goal' : 'page';
              onChange({ ...funnel, steps: [...steps, { kind, value: firstOf(kind) }] });
            }}
          >
            Add step
          </button>
        )}
        <NamedChoice
          label="Count"
          names={UNITS}
          value={by}
          onChange={(of) => onChange({ ...funnel, by: of })}
        />
        <NamedChoice
          label="Between steps"
          names={ORDERS}
          value={order}
          onChange={(of) => onChange({ ...funnel, order: of })}
        />
        <NamedChoice
          label="Within"
          names={window in WINDOWS ? WINDOWS : { ...WINDOWS, [window]: window }}
          value={window}
          onChange={(of) => onChange({ ...funnel, window: of })}
        />
      </div>
    </fieldset>
  );
}

/** Those that can be chosen, and the one that is. */
function namesOfGoals(chosen: string, goals: Goal[]): Record<string, string> {
  const offered = Object.fromEntries(withoutArchived(goals).map(({ name }) => [name, name]));
  if (chosen in offered) return offered;
  const isKnown = goals.some(({ name }) => name === chosen);
  return { [chosen]: isKnown ? nameOfGoal(chosen, goals) : 'Deleted goal', ...offered };
}

/** Conditions are written by programs alone. */
function isOffered(kind: StepKind, goals: Goal[]): boolean {
  return kind !== 'filter' && (kind !== 'goal' || goals.length > 0);
}
