/** An event that is accepted as it stands: a pageview, unless the changes say otherwise. */
export function eventFor(
  trackingCode: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    trackingCode,
    eventType: 'pageview',
    url: 'https://example.com/',
    sessionId: 'session-1',
    visitorId: 'visitor-1',
    ...changes,
  };
}
