import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { isCampaignDimension } from '../../vocabulary/analytics.ts';
import { PUBLIC_HIDES } from '../../vocabulary/contract.ts';

export type MaySee = (dimension: string) => boolean;

/**
 * What may be asked about here. The public is never told properties, nor what the owner keeps back.
 *
 * @param profile undefined while it is on its way; until then whatever may be hidden is
 */
export function visibilityOf(place: { isPublic: boolean }, profile: WebsiteProfile | undefined): MaySee {
  if (!place.isPublic) return () => true;
  const hides = profile?.publicHides ?? PUBLIC_HIDES;
  return (dimension) => {
    if (dimension.startsWith('property:')) return false;
    if (dimension === 'event') return !hides.includes('customEvents');
    return !isCampaignDimension(dimension) || !hides.includes('campaigns');
  };
}
