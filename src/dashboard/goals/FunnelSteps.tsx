import { FUNNEL_STEPS_MAX } from '../../analytics/vocabulary.ts';
import type { Goal } from '../../contract/goal.ts';
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
  const isKnown = (named: string) => goals.some(({ name }) => name === named);
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
            <select
              aria-label={`Step ${index + 1}: kind`}
              value={step.kind}
              onChange={({ currentTarget }) => {
                const kind = currentTarget.value as StepKind; // one of the options
                set(index, { kind, value: firstOf(kind) });
              }}
            >
              {(Object.keys(KIND_NAMES) as StepKind[])
                .filter((kind) => kind === step.kind || isOffered(kind, active))
                .map((kind) => (
                  <option key={kind} value={kind}>
                    {KIND_NAMES[kind]}
                  </option>
                ))}
            </select>
            {step.kind === 'goal' && (
              <select
                class="funnel-value"
                aria-label={`Step ${index + 1}: goal`}
                value={step.value}
                onChange={({ currentTarget }) => set(index, { ...step, value: currentTarget.value })}
              >
                {!active.some(({ name }) => name === step.value) && (
                  <option value={step.value}>
                    {isKnown(step.value) ? nameOfGoal(step.value, goals) : 'Deleted goal'}
                  </option>
                )}
                {active.map(({ id, name }) => (
                  <option key={id} value={name}>
                    {name}
                  </option>
                ))}
              </select>
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
                <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
                  <path d="M3 3l10 10M13 3L3 13" />
                </svg>
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
        <label>
          Count{' '}
          <select
            value={by}
            onChange={({ currentTarget }) =>
              onChange({ ...funnel, by: currentTarget.value === 'visit' ? 'visit' : 'visitor' })
            }
          >
            <option value="visitor">visitors</option>
            <option value="visit">visits</option>
          </select>
        </label>
        <label>
          In between{' '}
          <select
            value={order}
            onChange={({ currentTarget }) =>
              onChange({ ...funnel, order: currentTarget.value === 'strict' ? 'strict' : 'loose' })
            }
          >
            <option value="loose">anything</option>
            <option value="strict">only clicks</option>
          </select>
        </label>
        <label>
          Within{' '}
          <select
            value={window}
            onChange={({ currentTarget }) => onChange({ ...funnel, window: currentTarget.value })}
          >
            {Object.entries({ ...WINDOWS, ...(!(window in WINDOWS) && { [window]: window }) }).map(
              ([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ),
            )}
          </select>
        </label>
      </div>
    </fieldset>
  );
}

/** Conditions are written by programs alone. */
function isOffered(kind: StepKind, goals: Goal[]): boolean {
  return kind !== 'filter' && (kind !== 'goal' || goals.length > 0);
}
