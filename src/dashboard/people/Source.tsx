import type { Session } from '../../contract/metrics/lists.ts';
import { Mark } from '../marks/Mark.tsx';

/** Source of a visit. */
export function Source({ of: { source, utmCampaign } }: { of: Pick<Session, 'source' | 'utmCampaign'> }) {
  return (
    <>
      <span class="client-marks">
        <Mark dimension="source" value={source} />
      </span>
      {source ?? 'Direct'}
      {utmCampaign && ` (${utmCampaign})`}
    </>
  );
}
