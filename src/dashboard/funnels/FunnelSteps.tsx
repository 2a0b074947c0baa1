import type { Goal } from '../../contract/goal.ts';
import { FUNNEL_STEPS_MAX } from '../../vocabulary/analytics.ts';
import { Choice, NamedChoice } from '../components/Choice.tsx';
import { CloseIcon } from '../components/CloseIcon.tsx';
import { NameInput } from '../filters/NameInput.tsx';
import { nameOfGoal, withoutArchived } from '../state/goal-names.ts';
import type { FunnelState, FunnelStep, StepKind, StepPart } from './funnel-state.ts';
import { nameOfPart } from './step-names.ts';

type Props = {
  funnel: FunnelState;
  /** All goals; archived ones are not offered. */
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

/** Form for the steps of a funnel and what may happen between them. */
export function FunnelSteps({ funnel, goals, onChange }: Props) {
  const { steps } = funnel;
  const setStep = (index: number, step: FunnelStep) =>
    onChange({
      ...funnel,
      steps: step.length > 0 ? steps.with(index, step) : steps.toSpliced(index, 1),
    });
  return (
    <fieldset class="card funnel-steps">
      <legend class="unseen">Steps</legend>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>
            <span class="quiet-text number">{index + 1}</span>
            <ul>
              {step.map((part, place) => (
                <li key={place}>
                  <StepPartFields
                    label={place === 0 ? `Step ${index + 1}` : `Step ${index + 1}, choice ${place + 1}`}
                    part={part}
                    goals={goals}
                    onChange={(next) => setStep(index, step.with(place, next))}
                  />
                  {(steps.length > 2 || step.length > 1) && (
                    <button
                      type="button"
                      class="icon-button"
                      aria-label={`Remove step ${index + 1}${step.length > 1 ? `, choice ${place + 1}` : ''}`}
                      onClick={() => setStep(index, step.toSpliced(place, 1))}
                    >
                      <CloseIcon size={12} />
                    </button>
                  )}
                  {place === step.length - 1 && part.kind !== 'filter' && (
                    <button
                      type="button"
                      class="quiet small"
                      aria-label={`Step ${index + 1}: or…`}
                      onClick={() => setStep(index, [...step, firstPart(goals)])}
                    >
                      or…
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <div class="funnel-options">
        {steps.length < FUNNEL_STEPS_MAX && (
          <button
            type="button"
            class="quiet small"
            onClick={() => onChange({ ...funnel, steps: [...steps, [firstPart(goals)]] })}
          >
            Add step
          </button>
        )}
        <Rules funnel={funnel} onChange={onChange} />
      </div>
    </fieldset>
  );
}

/** Choices of what is counted, and how steps may follow each other. */
function Rules({ funnel, onChange }: Omit<Props, 'goals'>) {
  const { by, order, window } = funnel;
  return (
    <>
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
        names={Object.hasOwn(WINDOWS, window) ? WINDOWS : { ...WINDOWS, [window]: window }}
        value={window}
        onChange={(of) => onChange({ ...funnel, window: of })}
      />
    </>
  );
}

type PartProps = {
  label: string;
  part: StepPart;
  goals: Goal[];
  onChange: (part: StepPart) => void;
};

function StepPartFields({ label, part, goals, onChange }: PartProps) {
  const { kind, value } = part;
  return (
    <>
      <Choice
        aria-label={`${label}: kind`}
        names={KIND_NAMES}
        among={KINDS.filter((each) => each === kind || isOffered(each, goals))}
        value={kind}
        onChange={(chosen) => onChange({ kind: chosen, value: firstValue(chosen, goals) })}
      />
      {kind === 'goal' && (
        <Choice
          class="funnel-value"
          aria-label={`${label}: goal`}
          names={namesOfGoals(value, goals)}
          value={value}
          onChange={(chosen) => onChange({ kind, value: chosen })}
        />
      )}
      {(kind === 'page' || kind === 'event') && (
        <NameInput
          label={`${label}: ${kind}`}
          kind={kind}
          value={value}
          onChange={(name) => onChange({ kind, value: name })}
        />
      )}
      {kind === 'filter' && <span class="funnel-value funnel-conditions">{nameOfPart(part, goals)}</span>}
    </>
  );
}

function firstPart(goals: Goal[]): StepPart {
  const kind = isOffered('goal', goals) ? 'goal' : 'page';
  return { kind, value: firstValue(kind, goals) };
}

function firstValue(kind: StepKind, goals: Goal[]): string {
  if (kind === 'goal') return withoutArchived(goals)[0]?.name ?? '';
  return kind === 'page' ? '/' : '';
}

/** Goals that can be chosen, and the chosen one. */
function namesOfGoals(chosen: string, goals: Goal[]): Record<string, string> {
  const offered = Object.fromEntries(withoutArchived(goals).map(({ name }) => [name, name]));
  if (Object.hasOwn(offered, chosen)) return offered;
  const isKnown = goals.some(({ name }) => name === chosen);
  return { [chosen]: isKnown ? nameOfGoal(chosen, goals) : 'Deleted goal', ...offered };
}

/** Whether a kind can be chosen here; conditions are only written through the API. */
function isOffered(kind: StepKind, goals: Goal[]): boolean {
  return kind !== 'filter' && (kind !== 'goal' || withoutArchived(goals).length > 0);
}
