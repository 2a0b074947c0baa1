import type { BatchAnswer, CreatedEvent } from '../contract/event.ts';
import type { EventLoad, Limits } from '../limits/limits.ts';
import type { LoggedEvent, Outcome } from '../log/event.ts';
import { turn } from '../process/garbage.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import type { Websites } from '../websites/service.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import type { Batch } from './batch-body.ts';
import type { DailyVisitors } from './daily-visitors.ts';
import { type JudgedEvent, judgeEvent, judgeSentAt } from './judge.ts';
import { type AcceptedEvent, findRefusedOrigin, isLeftOutPage, normaliseEvent } from './normalise.ts';
import type { RecentIssues } from './recent-issues.ts';
import type { Sender } from './sender.ts';
import { toBatchItem, toCreated } from './wire.ts';
import type { Writer } from './writer.ts';

export type Ingest = {
  /**
   * Stores one event and answers after its commit.
   *
   * @throws AppError VALIDATION_ERROR, NOT_FOUND, CONFLICT, RATE_LIMITED or SERVICE_UNAVAILABLE
   */
  one(submitted: unknown, sender: Sender): Promise<CreatedEvent>;
  /**
   * Judges each event alone; stores the accepted ones together and answers after their commit.
   *
   * @param submitted an AppError in place of an event is its refusal
   * @throws AppError VALIDATION_ERROR for `sentAt`, RATE_LIMITED or SERVICE_UNAVAILABLE, and what reading the next event
   *   throws; then none is stored
   */
  batch(submitted: Batch, sender: Sender): Promise<BatchAnswer>;
};

type Deps = {
  websites: Pick<Websites, 'findTracked' | 'trackedNow' | 'markAnonymous'>;
  writer: Writer;
  /** Collects reasons for missing figures. */
  recentIssues: RecentIssues;
  now: () => number;
  maxEventAgeDays: number;
  limits: Pick<Limits, 'events'>;
  /** Identifies the visitors of anonymous events. */
  dailyVisitors: Pick<DailyVisitors, 'identify'>;
  /** Called with the number of invalid events. */
  onRefused?: (count: number) => void;
};

/** Server's clock, and the sender's clock when it sent a batch. */
type Times = { nowMs: number; sentAtMs?: number | undefined };

/** How long judging a batch may hold the event loop. */
const TIME_SLICE_MS = 5;

export function createIngest(deps: Deps): Ingest {
  const { websites, writer, recentIssues, now, maxEventAgeDays, limits, dailyVisitors, onRefused } = deps;
  return { one, batch };

  async function one(submitted: unknown, sender: Sender): Promise<CreatedEvent> {
    let event: AcceptedEvent;
    try {
      event = await accept(submitted, sender, { nowMs: now() });
    } catch (error) {
      if (error instanceof AppError) onRefused?.(1);
      throw error;
    }
    limits.events([toLoad(event.website, 1, sender)]);
    const [outcome] = await writer.write([event]);
    const fault = outcome && toFault(outcome);
    if (outcome?.kind !== 'stored') throw fault ?? new AppError('INTERNAL_ERROR', 'Internal server error');
    return toCreated(ofSender(event, outcome.event), event.website.id);
  }

  async function batch({ events, sentAt }: Batch, sender: Sender): Promise<BatchAnswer> {
    const times = { nowMs: now(), sentAtMs: judgeSentAt(sentAt) };
    const results = await judgeAll(events, sender, times);
    const accepted: AcceptedEvent[] = [];
    /** For each event of the request: its refusal, or its position among the accepted events. */
    const places = results.map((result) => (result instanceof AppError ? result : accepted.push(result) - 1));
    limits.events(toLoads(accepted, sender));
    const outcomes = accepted.length > 0 ? await writer.write(accepted) : [];
    if (accepted.length < results.length) onRefused?.(results.length - accepted.length);
    return toBatchAnswer(places, accepted, outcomes);
  }

  /** Lets other requests run between slices of events; within one, tracking codes are looked up in one query. */
  async function judgeAll(
    submitted: Iterable<unknown>,
    sender: Sender,
    times: Times,
  ): Promise<(AcceptedEvent | AppError)[]> {
    const results: (AcceptedEvent | AppError)[] = [];
    let slice: Promise<AcceptedEvent | AppError>[] = [];
    let beganMs = performance.now();
    for (const item of submitted) {
      slice.push(item instanceof AppError ? Promise.resolve(item) : acceptOrRefuse(item, sender, times));
      if (performance.now() - beganMs < TIME_SLICE_MS) continue;
      results.push(...(await Promise.all(slice)));
      await turn();
      slice = [];
      beganMs = performance.now();
    }
    return results.concat(await Promise.all(slice));
  }

  async function acceptOrRefuse(
    submitted: unknown,
    sender: Sender,
    times: Times,
  ): Promise<AcceptedEvent | AppError> {
    try {
      return await accept(submitted, sender, times);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  /** At once for a website that is cached: of most events a promise would be a tenth of the work. */
  function accept(submitted: unknown, sender: Sender, times: Times): AcceptedEvent | Promise<AcceptedEvent> {
    const event = judgeEvent(submitted);
    const cached = websites.trackedNow(event.trackingCode);
    if (cached !== undefined) return acceptFor(cached, event, sender, times);
    return websites.findTracked(event.trackingCode).then((found) => acceptFor(found, event, sender, times));
  }

  function acceptFor(
    website: TrackedWebsite | null | undefined,
    event: JudgedEvent,
    sender: Sender,
    times: Times,
  ): AcceptedEvent | Promise<AcceptedEvent> {
    if (!website) {
      recentIssues.recordUnknownCode(event.trackingCode, event.url);
      throw unknownWebsite();
    }
    const refusedOrigin = findRefusedOrigin(event.url, sender.origin, website.allowedOrigins);
    if (refusedOrigin !== undefined) {
      recentIssues.recordRefusedOrigin(website.id, refusedOrigin);
      throw validationError('Invalid event data', {
        url: ['This website does not accept events from this origin'],
      });
    }
    if (!event.anonymous && !website.isAnonymous) return toAccepted(website, event, sender, times);
    const dailyVisitor = dailyVisitors.identify(website, toOrigin(website, event, sender), times.nowMs);
    const accepted = (id: string) => toAccepted(website, event, sender, { ...times, dailyVisitor: id });
    // Before the event is stored, so that no answer misses it.
    if (!website.hasAnonymous)
      return websites
        .markAnonymous(event.trackingCode, website.key)
        .then(() => dailyVisitor)
        .then(accepted);
    return typeof dailyVisitor === 'string' ? accepted(dailyVisitor) : dailyVisitor.then(accepted);
  }

  function toAccepted(
    website: TrackedWebsite,
    event: JudgedEvent,
    sender: Sender,
    context: Times & { dailyVisitor?: string },
  ): AcceptedEvent {
    const normalised = normaliseEvent(event, website, {
      sender,
      ...context,
      maxEventAgeDays,
    });
    if (normalised.flags & EVENT_FLAGS.bot) recentIssues.recordIgnored(website.id, 'bot');
    if (normalised.flags & EVENT_FLAGS.excluded)
      recentIssues.recordIgnored(website.id, isLeftOutPage(event.url, website) ? 'local' : 'excluded');
    return normalised;
  }
}

/** A back end with a key sends events of its visitors: its own address does not identify them, but the id that it sends. */
function toOrigin(website: TrackedWebsite, { visitorId }: JudgedEvent, sender: Sender) {
  const isOwner = website.userId === sender.keyOwnerId;
  return isOwner && visitorId !== undefined ? { address: null, userAgent: visitorId } : sender;
}

/** A key of the website's owner has no limit of its address. */
function toLoad(website: TrackedWebsite, count: number, sender: Sender): EventLoad {
  const isOwner = website.userId === sender.keyOwnerId;
  return {
    websiteKey: website.key,
    ownerId: website.userId,
    count,
    address: isOwner ? null : sender.limitedAddress,
  };
}

function toLoads(events: readonly AcceptedEvent[], sender: Sender): EventLoad[] {
  const counts = new Map<TrackedWebsite, number>();
  for (const { website } of events) counts.set(website, (counts.get(website) ?? 0) + 1);
  return [...counts].map(([website, count]) => toLoad(website, count, sender));
}

function toBatchAnswer(
  places: ReadonlyArray<AppError | number>,
  accepted: readonly AcceptedEvent[],
  outcomes: readonly Outcome[],
): BatchAnswer {
  const events: ReturnType<typeof toBatchItem>[] = [];
  const errors: { index: number; error: BatchErrorCode; message: string }[] = [];
  places.forEach((place, index) => {
    const outcome = typeof place === 'number' ? outcomes[place] : undefined;
    const sent = typeof place === 'number' ? accepted[place] : undefined;
    if (outcome?.kind === 'stored' && sent)
      events.push(toBatchItem(ofSender(sent, outcome.event), sent.website.id));
    else
      errors.push({
        index,
        ...toBatchError(place instanceof AppError ? place : outcome && toFault(outcome)),
      });
  });
  const counts = { eventsCreated: events.length, successful: events.length, failed: errors.length };
  if (errors.length === 0)
    return { success: true, ...counts, events, message: `${events.length} ${plural(events.length)} created` };
  return {
    success: false,
    ...counts,
    events,
    errors,
    message: `${events.length} ${plural(events.length)} created, ${errors.length} refused`,
  };
}

/** Returns the submitted event if the stored one is another visitor's: an id may be guessed. */
function ofSender(sent: LoggedEvent, stored: LoggedEvent): LoggedEvent {
  return stored.visitorId === sent.visitorId ? stored : sent;
}

function plural(count: number): string {
  return count === 1 ? 'event' : 'events';
}

type BatchErrorCode = 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT' | 'INTERNAL_ERROR';

/** A refused event in a batch has one line: the fields' faults are joined to the message. */
function toBatchError(error: AppError | undefined): { error: BatchErrorCode; message: string } {
  const { code, message, details } = error ?? new AppError('INTERNAL_ERROR', 'Internal server error');
  if (code === 'NOT_FOUND' || code === 'CONFLICT') return { error: code, message };
  if (code !== 'VALIDATION_ERROR') return { error: 'INTERNAL_ERROR', message: 'Internal server error' };
  const faults = [
    ...(details?.formErrors ?? []),
    ...Object.entries(details?.fieldErrors ?? {}).map(
      ([field, messages]) => `${field}: ${messages.join(', ')}`,
    ),
  ];
  return { error: code, message: faults.length > 0 ? `${message} (${faults.join('; ')})` : message };
}

function toFault(outcome: Outcome): AppError | undefined {
  switch (outcome.kind) {
    case 'gone':
      return unknownWebsite();
    case 'conflict':
      return new AppError('CONFLICT', 'This event id belongs to an event of another website');
    default:
      return undefined;
  }
}

function unknownWebsite(): AppError {
  return new AppError('NOT_FOUND', 'Website with this tracking code not found');
}
