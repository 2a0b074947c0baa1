import type { Goal } from '../../contract/goal.ts';
import { Choice } from '../components/Choice.tsx';
import { NameInput } from '../filters/NameInput.tsx';
import { ANCHOR_KINDS, type AnchorKind, type JourneyState } from './journey-state.ts';

type Props = { journey: JourneyState; goals: Goal[]; onChange: (journey: JourneyState) => void };

const DIRECTIONS = { from: 'From', to: 'To' };
const KINDS = { page: 'page', event: 'event', goal: 'goal' };

/** Choice of where journeys begin or end. */
export function JourneyForm({ journey, goals, onChange }: Props) {
  const { direction, kind, value, withEvents } = journey;
  const firstOf = (of: AnchorKind) => (of === 'goal' ? (goals[0]?.name ?? '') : of === 'page' ? '/' : '');
  return (
    <fieldset class="card funnel-steps journey-form">
      <legend class="unseen">Journeys</legend>
      <div class="funnel-options">
        <Choice
          aria-label="Direction"
          names={DIRECTIONS}
          value={direction}
          onChange={(chosen) => onChange({ ...journey, direction: chosen, pins: [] })}
        />
        <Choice
          aria-label="Kind"
          names={{ ...KINDS, visit: direction === 'from' ? 'Visit start' : 'Visit end' }}
          among={ANCHOR_KINDS.filter((name) => name !== 'goal' || goals.length > 0)}
          value={kind}
          onChange={(chosen) => onChange({ ...journey, kind: chosen, value: firstOf(chosen), pins: [] })}
        />
        {kind === 'goal' && (
          <Choice
            class="funnel-value"
            aria-label="Goal"
            names={Object.fromEntries(goals.map(({ name }) => [name, name]))}
            value={value}
            onChange={(chosen) => onChange({ ...journey, value: chosen, pins: [] })}
          />
        )}
        {(kind === 'page' || kind === 'event') && (
          <NameInput
            label={kind === 'page' ? 'Page' : 'Event'}
            kind={kind}
            value={value}
            onChange={(name) => onChange({ ...journey, value: name, pins: [] })}
          />
        )}
        <label>
          <input
            type="checkbox"
            checked={withEvents}
            onChange={({ currentTarget }) =>
              onChange({ ...journey, withEvents: currentTarget.checked, pins: [] })
            }
          />{' '}
          Include custom events
        </label>
      </div>
    </fieldset>
  );
}
