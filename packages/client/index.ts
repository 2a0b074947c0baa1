import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.js';
import { type OutgoingEvent, type Sender, type Sent, sendEvents } from './send-events.js';

export type { components, paths } from './api.js';
export type { OutgoingEvent, Refusal, Sender, Sent } from './send-events.js';

/** `api` has every route of the service, typed from its OpenAPI document. */
export type Pagemeter = {
  api: Client<paths>;
  /** Sends events, and again what got no answer: each has an id, so a repeat is stored once. */
  sendEvents(events: readonly OutgoingEvent[]): Promise<Sent>;
};

/** For Node, Bun, Deno, workers and browsers: wherever there is `fetch`. */
export function createPagemeter(sender: Sender): Pagemeter {
  const { baseUrl, apiKey } = sender;
  return {
    api: createFetchClient<paths>({
      baseUrl: baseUrl.replace(/\/$/, ''),
      headers: apiKey ? { Authorization: `Bearer ${apiKey}` } : {},
      ...(sender.fetch && { fetch: sender.fetch }),
    }),
    sendEvents: (events) => sendEvents(sender, events),
  };
}
