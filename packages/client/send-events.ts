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
  /** URL of the service, without `/api/v1`. */
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
/** `text` is the event as JSON. */
type Numbered = { index: number; text: string };

/** The API takes as many events in a batch. */
const BATCH_EVENTS = 1_000;
/** And as many bytes, in which the list around the events has to fit. */
const BATCH_BYTES = 5 * 1024 * 1024 - 1_024;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
/** Later the same may succeed. */
const PASSING = [408, 425, 429];
const TOO_LARGE = 413;

/**
 * Sends events, and again what got no answer or one that passes: each has an id, so a repeat is stored once.
 *
 * @throws Error when the service cannot be reached or refuses a whole batch; what was stored before stays stored, and the
 * same events may be sent again if they carry ids
 */
export async function sendEvents(sender: Sender, events: readonly OutgoingEvent[]): Promise<Sent> {
  const sent: Sent = { stored: 0, refused: [] };
  for (const batch of toBatches(events)) await sendBatch(sender, batch, sent);
  return sent;
}

function* toBatches(events: readonly OutgoingEvent[]): Generator<Numbered[]> {
  const encoder = new TextEncoder();
  let batch: Numbered[] = [];
  let batchBytes = 0;
  for (const [index, event] of events.entries()) {
    const text = JSON.stringify({ ...event, id: event.id ?? crypto.randomUUID() });
    const bytes = encoder.encode(text).length + 1; // with its comma
    if (batch.length > 0 && (batch.length === BATCH_EVENTS || batchBytes + bytes > BATCH_BYTES)) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
    batch.push({ index, text });
    batchBytes += bytes;
  }
  if (batch.length > 0) yield batch;
}

async function sendBatch(sender: Sender, batch: Numbered[], sent: Sent): Promise<void> {
  const { attemptsMax = ATTEMPTS, sleep = pause } = sender;
  let rest = batch;
  for (let attempt = 1; ; attempt += 1) {
    const { answer, retryAfterMs, fault, refusal } = await post(sender, rest);
    if (answer) {
      const errors = answer.errors ?? [];
      const again = errors.filter(({ error }) => error === 'INTERNAL_ERROR' && attempt < attemptsMax);
      sent.stored += rest.length - errors.length;
      for (const refusal of errors)
        if (!again.includes(refusal))
          sent.refused.push({ ...refusal, index: rest[refusal.index]?.index ?? refusal.index });
      rest = again.flatMap(({ index }) => rest[index] ?? []);
      if (rest.length === 0) return;
    } else if (refusal) return sendHalves(sender, rest, sent, refusal);
    else if (retryAfterMs === undefined || attempt >= attemptsMax) throw fault;
    await sleep(Math.min(Math.max(retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1)), PAUSE_MS_MAX));
  }
}

/** After a 413: a proxy may take less than the API. An event that is too large alone is refused. */
async function sendHalves(
  sender: Sender,
  batch: Numbered[],
  sent: Sent,
  refusal: Omit<Refusal, 'index'>,
): Promise<void> {
  const [first] = batch;
  if (first && batch.length === 1) return void sent.refused.push({ index: first.index, ...refusal });
  const middle = Math.ceil(batch.length / 2);
  await sendBatch(sender, batch.slice(0, middle), sent);
  await sendBatch(sender, batch.slice(middle), sent);
}

/** `refusal`: the batch is too large. */
type Outcome = {
  answer?: Answer;
  retryAfterMs?: number;
  fault?: Error;
  refusal?: Omit<Refusal, 'index'>;
};

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
      body: `{"events":[${batch.map(({ text }) => text).join(',')}]}`,
    });
  } catch (error) {
    return { retryAfterMs: 0, fault: error instanceof Error ? error : new Error(String(error)) };
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (response.ok) return { answer };
  const { error = 'PAYLOAD_TOO_LARGE', message = response.statusText } = answer;
  if (response.status === TOO_LARGE) return { refusal: { error, message } };
  const fault = new Error(`${response.status} ${answer.error ?? ''}: ${message}`);
  if (response.status < 500 && !PASSING.includes(response.status)) return { fault };
  return { retryAfterMs: toMs(response.headers.get('Retry-After')), fault };
}

/** Seconds or a date (RFC 9110, 10.2.3); 0 without either. */
function toMs(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Math.max(ms || 0, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
