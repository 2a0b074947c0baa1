import { createTestService, type RequestOptions } from '../support/service.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** `at`: ISO, or so many milliseconds before now. */
export type TestEvent = {
  at: string | number;
  visitor: string;
  page?: string;
  type?: 'pageview' | 'click' | 'custom';
  session?: string;
  referrer?: string;
  country?: string;
  properties?: Record<string, unknown>;
  fields?: Record<string, unknown>;
};

/** A service with one person, Ada, and her website. The time is 2026-11-20T12:00Z, a Friday. */
export async function startMetrics() {
  const service = await createTestService({ maxEventAgeDays: 10_000 });
  const ada = await service.signUp();
  const website = await service.addWebsite(ada.token);
  const base = `/api/v1/websites/${website.id}`;

  /** Stores events by the front door. */
  async function track(events: TestEvent[], trackingCode = website.trackingCode) {
    const { status } = await service.send('POST', '/api/v1/events/batch', {
      body: { events: events.map((event) => toInput(event, trackingCode)) },
    });
    if (status !== 201) throw new Error(`The events were answered with ${status}.`);
  }

  function toInput({ at, visitor, page = '/', type = 'pageview', ...rest }: TestEvent, trackingCode: string) {
    const { session = `tab-${visitor}`, referrer, country, properties, fields } = rest;
    return {
      trackingCode,
      eventType: type,
      url: `https://example.com${page}`,
      visitorId: visitor,
      sessionId: session,
      timestamp: typeof at === 'number' ? service.clock.now() - at : Date.parse(at),
      ...(referrer && { referrer }),
      ...(country && { location: country }),
      ...(properties && { properties }),
      ...fields,
    };
  }

  /** Ada asks about her website. */
  function ask(path: string, options: RequestOptions = {}) {
    return service.send('GET', `${base}${path}`, { token: ada.token, ...options });
  }

  /** The body of an answer that must be a success. */
  async function get(path: string): Promise<Record<string, unknown>> {
    const { status, body } = await ask(path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`);
    // Tests compare what is in it with what they expect.
    return body as Record<string, unknown>;
  }

  function changeSettings(settings: object) {
    return service.send('PATCH', `${base}/settings`, { token: ada.token, body: settings });
  }

  return { ...service, ada, website, base, track, ask, get, changeSettings };
}
export type MetricsService = Awaited<ReturnType<typeof startMetrics>>;

/** The seven metrics in their order. */
export function figures(
  visitors: number,
  visits: number,
  pageviews: number,
  events: number,
  bounceRate: number,
  visitDuration: number,
) {
  const viewsPerVisit = visits === 0 ? 0 : pageviews / visits;
  return { visitors, visits, pageviews, events, viewsPerVisit, bounceRate, visitDuration };
}
export const NOTHING = figures(0, 0, 0, 0, 0, 0);

/** The body of a 400 whose only faults are these. */
export function refused(fieldErrors: Record<string, string[]>, message = 'Invalid query parameters') {
  return {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message, details: { formErrors: [], fieldErrors } },
  };
}
