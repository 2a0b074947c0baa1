import { toPlace } from '../api/place.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useView, type ViewChanges } from '../state/use-view.ts';
import type { PageCodec } from '../state/view-state.ts';

/**
 * Returns the common state of a website's page: place, profile and view.
 *
 * @param codec keeps state of the page's own in the address
 */
export function usePage<Own = undefined>(
  { parameters, search, isPublic }: PageProps,
  codec?: PageCodec<Own>,
) {
  const place = toPlace(parameters.websiteId ?? '', isPublic);
  const profile = useProfile(place);
  return { place, profile, ...useView(search, codec) };
}

export type Page = Pick<ReturnType<typeof usePage>, 'place' | 'profile' | 'view'> & {
  change: (changes: ViewChanges) => void;
};
