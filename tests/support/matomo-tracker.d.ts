/** Matomo's package for Node, which has no types. */
declare module 'matomo-tracker' {
  type Parameters = Record<string, string | number>;
  export default class MatomoTracker {
    constructor(siteId: number, trackerUrl: string);
    track(parameters: Parameters): void;
    trackBulk(events: Parameters[], callback: (answer: string) => void): void;
  }
}
