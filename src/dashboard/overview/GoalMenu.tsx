import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { askAgain } from '../api/use-answer.ts';
import { useGoals } from '../api/use-goals.ts';
import { announce } from '../components/Announcer.tsx';
import { Menu } from '../components/Menu.tsx';
import { withoutArchived } from '../state/goal-names.ts';

type Props = { place: Place; primary: { id: string; name: string } | null };

/** Choice of the goal whose rate is shown with every figure: for the owner of a website that has goals. */
export function GoalMenu({ place, primary }: Props) {
  const { answer } = useGoals(place);
  const goals = withoutArchived(answer?.goals ?? []);
  if (goals.length === 0) return null;
  async function choose(primaryGoalId: string | null): Promise<void> {
    try {
      await call('PATCH', `/websites/${encodeURIComponent(place.websiteId)}/settings`, {
        body: { primaryGoalId },
      });
      askAgain();
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <Menu label={primary ? `Rate: ${primary.name}` : 'Show a rate'} align="end">
      {goals.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-current={id === primary?.id ? 'true' : undefined}
          onClick={() => void choose(id)}
        >
          {name}
        </button>
      ))}
      {primary && (
        <button type="button" onClick={() => void choose(null)}>
          No rate
        </button>
      )}
    </Menu>
  );
}
