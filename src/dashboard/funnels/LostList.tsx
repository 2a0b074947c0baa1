import type { ComponentChildren } from 'preact';
import type { Funnel } from '../../metrics/reports/funnel.ts';
import type { Place } from '../api/place.ts';
import { Link } from '../components/Link.tsx';
import { MiddleText } from '../components/MiddleText.tsx';
import { formatCountLong } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { lostVisits } from './lost-visits.ts';

type Next = Funnel['steps'][number]['next'];
type Props = {
  place: Place;
  /** Pages that most of them went to. */
  next: Next;
  /** All that were lost. */
  count: number;
  lost: Omit<Parameters<typeof lostVisits>[0], 'next'>;
};

/** Where those went that a step lost, as small bars. Each leads to the visits. */
export function LostList({ place, next, count, lost }: Props) {
  const elsewhere = elsewhereOf(next, count);
  const addressOf = (to?: { next: string | null }) => {
    const filters = lostVisits({ ...lost, ...to });
    return filters && addressIn(place, '/visits', { filters });
  };
  const all = addressOf();
  return (
    <>
      <ul class="funnel-next" aria-label="Went to">
        {next.map(({ value, count: own }) => (
          <Row key={value ?? ''} part={own / count} count={own} to={addressOf({ next: value })}>
            {value === null ? 'Left the site' : <MiddleText text={value} />}
          </Row>
        ))}
        {elsewhere > 0 && (
          <Row part={elsewhere / count} count={elsewhere} to={undefined}>
            Other pages
          </Row>
        )}
      </ul>
      {all && (
        <Link class="funnel-visits" to={all}>
          Show these visits
        </Link>
      )}
    </>
  );
}

type RowProps = { part: number; count: number; to: string | undefined; children: ComponentChildren };

function Row({ part, count, to, children }: RowProps) {
  const content = (
    <>
      <span class="funnel-next-name">{children}</span>
      <span class="number">{formatCountLong(count)}</span>
    </>
  );
  return (
    <li style={{ '--part': String(part) }}>{to ? <Link to={to}>{content}</Link> : <span>{content}</span>}</li>
  );
}

/** How many went to none of these pages. */
export function elsewhereOf(next: Next, count: number): number {
  return count - next.reduce((sum, page) => sum + page.count, 0);
}
