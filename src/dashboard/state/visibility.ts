import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { isCampaignDimension } from '../../vocabulary/analytics.ts';
import { PUBLIC_HIDES } from '../../vocabulary/contract.ts';
import { WEBSITE } from './dimension-names.ts';

export type MaySee = (dimension: string) => boolean;

/**
 * Returns whether a dimension is visible here. The public never sees properties, nor what the owner hides.
 *
 * @param profile undefined while it loads; until then everything that can be hidden is
 */
export function visibilityOf(
  place: { isPublic: boolean; isSet: boolean },
  profile: WebsiteProfile | undefined,
): MaySee {
  const hidesProperties = profile?.hides.includes('properties') === true;
  if (!place.isPublic)
    return (dimension) => dimension !== WEBSITE && !(hidesProperties && dimension.startsWith('property:'));
  const hides = profile?.publicHides ?? PUBLIC_HIDES;
  return (dimension) => {
    if (dimension === WEBSITE) return place.isSet;
    if (dimension.startsWith('property:')) return false;
    if (dimension === 'event') return !hides.includes('customEvents');
    return !isCampaignDimension(dimension) || !hides.includes('campaigns');
  };
}
