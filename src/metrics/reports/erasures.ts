import { Elysia } from 'elysia';
import type { Access } from '../../access/access.ts';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import { Erased, ErasureInput, ErasurePreview, ErasurePreviewInput } from '../../contract/erasure.ts';
import { failures } from '../../contract/fault.ts';
import { recordAround } from '../../db/audit.ts';
import { readParameters } from '../../http/parameters.ts';
import { ERASED_EVENTS_MAX } from '../../vocabulary/contract.ts';
import { AppError, validationError } from '../../vocabulary/errors.ts';
import { NO_FIGURES, toInstant } from '../answers/wire.ts';
import { openParameters } from '../question/open-question.ts';
import { readAsked } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';

type Context = { request: Request; access: Access; body: typeof ErasurePreviewInput.static };

/** Erases the events that a filter selects, after a preview. For the owner only. */
export function erasureRoutes(deps: MetricsDeps) {
  /** Reads the body like the parameters of metrics, so that the same selection means the same events. */
  async function readSelection({ request, access, body }: Context): Promise<Selection> {
    const { filters, traffic = 'all', period, from, to, timezone } = body;
    const given = { period, from, to, timezone, traffic, filters: filters && JSON.stringify(filters) };
    const texts = Object.entries(given).filter(([, value]) => value !== undefined);
    const parameters = readParameters(
      new URLSearchParams(texts.map(([name, value]) => [name, String(value)])),
      INVALID,
    );
    const { subject } = await openParameters(deps, { request, access });
    // The default range of metrics, 30 days, would be a guess at what to erase. (An empty text counts as absent.)
    if (period === undefined && (from === undefined || from === ''))
      parameters.fault('period', 'Required, or from and to');
    const { selection } = await readAsked(parameters, subject);
    parameters.finish();
    return selection;
  }

  return new Elysia({ prefix: '/websites/:id/erasures' })
    .use(askWebsite(deps))
    .use(deps.bodies.json())
    .post(
      '/preview',
      async (context) => {
        const asked = await readSelection(context);
        const nowMs = deps.now();
        const isRunning = asked.fromMs < nowMs && nowMs < asked.toMs;
        const selection = isRunning ? { ...asked, toMs: nowMs } : asked;
        const { totals = NO_FIGURES } = await context.inTurn((analytics) =>
          analytics.query({ ...selection, totals: true }),
        );
        const { events, visits, visitors } = totals;
        return {
          events,
          visits,
          visitors,
          from: toInstant(selection.fromMs),
          to: toInstant(selection.toMs),
        };
      },
      {
        params: WebsiteId,
        body: ErasurePreviewInput,
        response: { 200: ErasurePreview, ...REFUSALS },
        detail: describe(
          'previewErasure',
          'Count what an erasure would remove',
          'The same events that the totals of this range, traffic and filters count. Changes nothing.',
        ),
      },
    )
    .post(
      '',
      async (context) => {
        const selection = await readSelection(context);
        const seen = context.body.events;
        context.server?.timeout(context.request, 0); // a million events may take longer than the default timeout
        const eventsMax = Math.min(seen, ERASED_EVENTS_MAX);
        const { website, userId } = context.access;
        const { period, from, to } = context.body;
        const { events, isErased } = await recordAround(
          deps.db,
          {
            accountId: website.userId ?? '',
            actorId: userId ?? null,
            atMs: deps.now(),
            action: 'events.erased',
            websiteId: website.id,
            subject: website.name,
            details: { period, from, to, events: seen }, // filters may name what is erased
          },
          () => context.inTurn((analytics) => analytics.eraseSelected({ ...selection, eventsMax })),
          ({ isErased }) => isErased,
        );
        if (!isErased) throw events > ERASED_EVENTS_MAX ? tooMany(events) : hasGrown(seen, events);
        return { success: true as const, message: 'Events erased', eventsRemoved: events };
      },
      {
        params: WebsiteId,
        body: ErasureInput,
        response: { 200: Erased, ...REFUSALS, ...failures('CONFLICT') },
        detail: describe(
          'eraseEvents',
          'Erase the events that a filter selects',
          'Removes the selected events, and everything derived from them, permanently. A filter on visits (entryPage, source, country …) selects all events of such visits in the range. Answers when everything is removed; an interrupted erasure is completed at the next start. Events that arrive during the erasure stay.',
        ),
      },
    );
}

const INVALID = 'Invalid request data';
const inWords = (count: number) => count.toLocaleString('en');

function tooMany(events: number): AppError {
  const fault = `Selects ${inWords(events)} events; at most ${inWords(ERASED_EVENTS_MAX)} can be erased at once: choose a shorter range`;
  return validationError(INVALID, { filters: [fault] });
}

function hasGrown(seen: number, events: number): AppError {
  return new AppError(
    'CONFLICT',
    `${inWords(events)} events are selected by now, more than the ${inWords(seen)} of the preview. Nothing was erased: look at the preview again`,
  );
}
