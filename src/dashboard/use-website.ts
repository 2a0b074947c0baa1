import type { Website } from '../contract/website.ts';
import { call } from './api/client.ts';
import { useAnswer } from './api/use-answer.ts';

/** The website itself: its name, domain, tracking code. */
export function useWebsite(websiteId: string) {
  return useAnswer(`website ${websiteId}`, (signal) =>
    call<Website>('GET', `/websites/${encodeURIComponent(websiteId)}`, { signal }),
  );
}
