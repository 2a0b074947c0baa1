import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { addressIn } from '../state/kept-view.ts';

const TABS = [
  { path: '/goals', name: 'Goals' },
  { path: '/goals/funnels', name: 'Funnels' },
  { path: '/goals/retention', name: 'Retention' },
  { path: '/goals/attribution', name: 'Attribution' },
] as const;

/** Links between the goal reports. */
export function GoalTabs({ place, current }: { place: Place; current: (typeof TABS)[number]['path'] }) {
  return (
    <nav class="segments goal-tabs" aria-label="Goals">
      {TABS.map(({ path, name }) => (
        <Link key={path} to={addressIn(place, path)} aria-current={path === current ? 'true' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
