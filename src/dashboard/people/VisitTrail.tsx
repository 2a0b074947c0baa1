import type { ListedVisit } from '../../contract/metrics/visits.ts';
import { MiddleText } from '../components/MiddleText.tsx';
import { formatCountLong } from '../state/format.ts';
import { Source } from './Source.tsx';

type Props = { visit: Pick<ListedVisit, 'source' | 'utmCampaign' | 'entryPage' | 'exitPage' | 'pageviews'> };

/** Where a visit came from, and its first and last page. */
export function VisitTrail({ visit }: Props) {
  const { entryPage, exitPage, pageviews } = visit;
  const between = pageviews - 2;
  return (
    <span class="trail">
      <span class="trail-source">
        <Source of={visit} />
      </span>
      <Arrow />
      <span class="trail-page">
        <MiddleText text={entryPage ?? 'No pageviews'} />
      </span>
      {pageviews > 1 && (
        <>
          <Arrow />
          {between > 0 && (
            <>
              <span class="quiet-text trail-more" title={`${formatCountLong(between)} pages between`}>
                {formatCountLong(between)} more
              </span>
              <Arrow />
            </>
          )}
          <span class="trail-page">
            <MiddleText text={exitPage ?? ''} />
          </span>
        </>
      )}
    </span>
  );
}

function Arrow() {
  return (
    <span class="trail-arrow" aria-hidden="true">
      →
    </span>
  );
}
