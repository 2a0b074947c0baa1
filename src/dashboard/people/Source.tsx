import type { Session } from '../../contract/metrics-lists.ts';
import { Mark } from '../marks/Mark.tsx';
import { sourceOf } from './origin.ts';

/** Where a visit came from. */
export function Source({ of: visit }: { of: Pick<Session, 'source' | 'utmCampaign'> }) {
  return (
    <>
      <span class="client-marks">
        <Mark dimension="source" value={visit.source} />
      </span>
      {sourceOf(visit)}
    </>
  );
}
