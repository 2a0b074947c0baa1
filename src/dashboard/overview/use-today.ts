import { useEffect, useRef } from 'preact/hooks';
import type { WebsiteProfile } from '../../contract/website-profile.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import type { Place } from '../api/place.ts';
import { navigate } from '../browser/router.ts';
import { addressOf, withPeriod } from '../state/use-view.ts';

/** Opens a website that is younger than a day on today, by hours, unless the address says what to show. */
export function useToday({ base }: Place, profile: WebsiteProfile | undefined, search: string): void {
  const opened = useRef({ base, search });
  if (opened.current.base !== base) opened.current = { base, search };
  const firstAt = profile?.firstEventAt;
  useEffect(() => {
    const isYoung = firstAt && Date.now() - Date.parse(firstAt) < DAY_MS;
    if (isYoung && opened.current.search === '') navigate(addressOf(withPeriod('today')), { replace: true });
  }, [base, firstAt]);
}
