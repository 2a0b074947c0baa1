import type { Journeys } from '../../metrics/reports/journeys.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { FUNNEL_CODEC } from '../funnels/funnel-state.ts';
import { formatCountOf, formatPercent } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfAnchor, nameOfStop } from './journey-names.ts';
import { JOURNEY_CODEC, type JourneyState } from './journey-state.ts';
import { filtersOf, funnelOf } from './pinned.ts';

type Props = { place: Place; journey: JourneyState; branch: Journeys['branches'][number] };

/** The pinned path with its figures, and what can be done with it. */
export function PinnedBar({ place, journey, branch }: Props) {
  const { direction, pins } = journey;
  const [last] = pins.slice(-1);
  const names = [nameOfAnchor(journey), ...pins.map(nameOfStop)];
  const funnel = funnelOf(journey);
  return (
    <section class="journey-pinned" aria-label="Pinned path">
      <p>
        {(direction === 'from' ? names : names.toReversed()).map((name, index) => (
          <span key={index}>
            {index > 0 && <span class="quiet-text"> → </span>}
            <bdi>{name}</bdi>
          </span>
        ))}{' '}
        <span class="quiet-text number">
          {formatCountOf(branch.visits, 'visits')} · {formatPercent(branch.rate)}
        </span>
      </p>
      <nav aria-label="Pinned path">
        {funnel && (
          <Link
            class="quiet small"
            to={addressIn(place, '/goals/funnels', {
              writeOwn: (parameters) => FUNNEL_CODEC.write({ funnel, group: undefined }, parameters),
            })}
          >
            Turn into a funnel
          </Link>
        )}
        <Link class="quiet small" to={addressIn(place, '/visits', { filters: filtersOf(journey) })}>
          Show visits with these steps
        </Link>
        {last && last.value !== '' && (
          <Link
            class="quiet small"
            to={addressOf<JourneyState>({}, JOURNEY_CODEC, { ...journey, ...last, pins: [] })}
          >
            Journeys {direction} here
          </Link>
        )}
        <Link class="quiet small" to={addressOf<JourneyState>({}, JOURNEY_CODEC, { ...journey, pins: [] })}>
          Unpin
        </Link>
      </nav>
    </section>
  );
}
