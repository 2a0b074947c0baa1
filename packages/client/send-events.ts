/** An event for `POST /events`, as the API takes it. */
export type OutgoingEvent = {
  /** A UUID. Without one the client makes it, so that a repeat is never counted twice. */
  id?: string;
  trackingCode: string;
  eventType: 'pageview' | 'click' | 'custom';
  url: string;
  sessionId: string;
  visitorId: string;
  [field: string]: unknown;
};

/** `index` is the place in what was given. */
export type Refusal = { index: number; error: string; message: string };
export type Sent = { stored: number; refused: Refusal[] };

export type Sender = {
  /** Of the service, without `/api/v1`. */
  baseUrl: string;
  /** With the scope `events` events may be of any age, and their sender is not taken for a bot. */
  apiKey?: string;
  /** Attempts for each batch; 6 by default, which take about half a minute. */
  attemptsMax?: number;
  fetch?: typeof fetch;
  /** Waits between two attempts. */
  sleep?: (ms: number) => Promise<void>;
};

type Answer = { eventsCreated?: number; errors?: Refusal[]; error?: string; message?: string };
type Numbered = { index: number; event: OutgoingEvent };

/** The API takes as many events in a batch. */
const BATCH_EVENTS = 1_000;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
/** Later the same may succeed. */
const PASSING = [408, 425, 429];

/**
 * Sends events, and again what got no answer or one that passes: each has an id, so a repeat is stored once.
 *
 * @throws Error when the service cannot be reached or refuses a whole batch; what was stored before stays stored, and the
 * same events may be sent again if they carry ids
 */
export async function sendEvents(sender: Sender, events: readonly OutgoingEvent[]): Promise<Sent> {
  const sent: Sent = { stored: 0, refused: [] };
  const numbered = events.map((event, index) => ({
    index,
    event: { ...event, id: event.id ?? crypto.randomUUID() },
  }));
  for (let from = 0; from < numbered.length; from += BATCH_EVENTS)
    await sendBatch(sender, numbered.slice(from, from + BATCH_EVENTS), sent);
  return sent;
}

async function sendBatch(sender: Sender, batch: Numbered[], sent: Sent): Promise<void> {
  const { attemptsMax = ATTEMPTS, sleep = pause } = sender;
  let rest = batch;
  for (let attempt = 1; ; attempt += 1) {
    const { answer, retryAfterMs, fault } = await post(sender, rest);
    if (answer) {
      const errors = answer.errors ?? [];
      const again = errors.filter(({ error }) => error === 'INTERNAL_ERROR' && attempt < attemptsMax);
      sent.stored += rest.length - errors.length;
      for (const refusal of errors)
        if (!again.includes(refusal))
          sent.refused.push({ ...refusal, index: rest[refusal.index]?.index ?? refusal.index });
      rest = again.flatMap(({ index }) => rest[index] ?? []);
      if (rest.length === 0) return;
    } else if (retryAfterMs === undefined || attempt >= attemptsMax) throw fault;
    await sleep(Math.min(Math.max(retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1)), PAUSE_MS_MAX));
  }
}

type Outcome = { answer?: Answer; retryAfterMs?: number; fault?: Error };

/** `retryAfterMs` is undefined when the same would be refused again. */
async function post(
  { baseUrl, apiKey, fetch: ask = fetch }: Sender,
  batch: readonly Numbered[],
): Promise<Outcome> {
  let response: Response;
  try {
    response = await ask(`${baseUrl.replace(/\/$/, '')}/api/v1/events/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(apiKey && { Authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ events: batch.map(({ event }) => event) }),
    });
  } catch (error) {
    return { retryAfterMs: 0, fault: error instanceof Error ? error : new Error(String(error)) };
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (response.ok) return { answer };
  const fault = new Error(
    `${response.status} ${answer.error ?? ''}: ${answer.message ?? response.statusText}`,
  );
  if (response.status < 500 && !PASSING.includes(response.status)) return { fault };
  return { retryAfterMs: (Number(response.headers.get('Retry-After')) || 0) * 1_000, fault };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
