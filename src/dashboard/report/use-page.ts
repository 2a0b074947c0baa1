import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { toPlace } from '../api/place.ts';
import { useProfile } from '../api/use-profile.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useView, type ViewChanges } from '../state/use-view.ts';
import type { PageCodec, ViewState } from '../state/view-state.ts';

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
  const { view, ...rest } = useView(search, codec);
  return { place, profile, ...rest, view: withLinkRange(view, profile.answer) };
}

/** Applies the range of a share link that shows one only, whatever the address says. */
function withLinkRange(view: ViewState, profile: WebsiteProfile | undefined): ViewState {
  const range = profile?.link?.range;
  if (!range) return view;
  const { from: _from, to: _to, ...others } = view;
  const compare = view.compare === 'none' ? 'none' : 'previous';
  return { ...others, compare, ...range };
}

export type Page = Pick<ReturnType<typeof usePage>, 'place' | 'profile' | 'view'> & {
  change: (changes: ViewChanges) => void;
};
