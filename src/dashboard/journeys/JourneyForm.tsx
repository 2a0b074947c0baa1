import type { Goal } from '../../contract/goal.ts';
import { ANCHOR_KINDS, type AnchorKind, type JourneyState } from '../journey-state.ts';

type Props = { journey: JourneyState; goals: Goal[]; onChange: (journey: JourneyState) => void };

/** Where journeys begin, or where they end. */
export function JourneyForm({ journey, goals, onChange }: Props) {
  const { direction, kind, value, withEvents } = journey;
  const firstOf = (of: AnchorKind) => (of === 'goal' ? (goals[0]?.name ?? '') : of === 'page' ? '/' : '');
  return (
    <fieldset class="card funnel-steps journey-form">
      <legend class="unseen">Journeys</legend>
      <div class="funnel-options">
        <label>
          <span class="unseen">Direction</span>
          <select
            value={direction}
            onChange={({ currentTarget }) =>
              onChange({ ...journey, direction: currentTarget.value === 'to' ? 'to' : 'from' })
            }
          >
            <option value="from">From</option>
            <option value="to">To</option>
          </select>
        </label>
        <label>
          <span class="unseen">Kind</span>
          <select
            value={kind}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as AnchorKind; // one of the options
              onChange({ ...journey, kind: chosen, value: firstOf(chosen) });
            }}
          >
            {ANCHOR_KINDS.filter((name) => name !== 'goal' || goals.length > 0).map((name) => (
              <option key={name} value={name}>
                {name === 'visit'
                  ? direction === 'from'
                    ? 'the start of a visit'
                    : 'the end of a visit'
                  : name}
              </option>
            ))}
          </select>
        </label>
        {kind === 'goal' && (
          <select
            class="funnel-value"
            aria-label="Goal"
            value={value}
            onChange={({ currentTarget }) => onChange({ ...journey, value: currentTarget.value })}
          >
            {goals.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        {(kind === 'page' || kind === 'event') && (
          <input
            class="funnel-value"
            aria-label={kind === 'page' ? 'Page' : 'Event'}
            value={value}
            placeholder={kind === 'page' ? '/pricing, /docs/**' : 'signup'}
            onChange={({ currentTarget }) => onChange({ ...journey, value: currentTarget.value.trim() })}
          />
        )}
        <label>
          <input
            type="checkbox"
            checked={withEvents}
            onChange={({ currentTarget }) => onChange({ ...journey, withEvents: currentTarget.checked })}
          />{' '}
          Include custom events
        </label>
      </div>
    </fieldset>
  );
}
