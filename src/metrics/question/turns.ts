import type { Analytics } from '../../analytics/analytics.ts';
import { type AnswerBudget, accountReader } from '../../http/answer-budget.ts';
import { type CancelSignal, createTurns, type TurnRequest } from '../../process/turns.ts';
import { unavailableError } from '../../vocabulary/errors.ts';

/** Answers the questions of one request, in turn. @throws AppError SERVICE_UNAVAILABLE when too many wait */
export type AskInTurn = <Answer>(
  ask: (analytics: Analytics) => Promise<Answer>,
  /** Replaces the request's signal for an answer that several clients share. */
  signal?: CancelSignal,
) => Promise<Answer>;

/** Caller: an account, or an anonymous client by address among those of one owner's public websites. */
export type Asker = { line: string; within?: string };

/** The only way from requests to the engine. */
export type QuestionTurns = (asker: Asker, request: { signal: AbortSignal }) => AskInTurn;

/**
 * Maximum open requests of an account, or of all anonymous callers of an owner's public websites. An answer may be 11 MB of
 * JSON (20 lists of 1,000 rows, compared).
 */
const REQUESTS_OF_ONE_MAX = 4;
/** Maximum open requests in total: eight accounts at their maximum. */
const REQUESTS_MAX = 32;
const WAITING_MAX = 100;
/**
 * Maximum questions handed to the engine, which answers in order of arrival: other accounts wait for all of them. One is
 * running and one is ready when it ends; with a maximum of one, a dashboard of twelve questions took 5 to 10 % longer.
 */
const ENGINE_MAX = 2;
/** Maximum waiting questions: more than the open requests ask at once, plus files that are read page by page. */
const ENGINE_WAITING_MAX = 2_000;
/**
 * Maximum waiting erasures. Each takes the place of a request: a quarter of the places at most, so that queries continue.
 */
const ERASURES_WAITING_MAX = 7;
const RETRY_AFTER_S = 5;

export const accountLine = (userId: string): Asker => ({ line: accountReader(userId) });
/**
 * @param address null when unknown. An owner may have a thousand public websites, but their anonymous callers share one
 * queue.
 */
export const strangersLine = (ownerId: string, address: string | null): Asker => ({
  line: `strangers ${ownerId}`,
  within: address ?? '',
});

/**
 * Lets questions take turns by caller, in front of an engine that answers one at a time. A request has a place until it is
 * answered, and each of its questions waits for the engine. Erasures run separately, one at a time.
 */
export function createQuestionTurns(
  analytics: Analytics,
  { requireReader }: Pick<AnswerBudget, 'requireReader'> = { requireReader: () => {} },
): QuestionTurns {
  const refusal = () =>
    unavailableError('Too many questions are waiting for an answer; try again in a moment', RETRY_AFTER_S);
  const requests = createTurns({
    atWorkMax: REQUESTS_MAX,
    atWorkOfOneMax: REQUESTS_OF_ONE_MAX,
    waitingMax: WAITING_MAX,
    refusal,
  });
  const questions = createTurns({ atWorkMax: ENGINE_MAX, waitingMax: ENGINE_WAITING_MAX, refusal });
  const erasures = createTurns({ atWorkMax: 1, waitingMax: ERASURES_WAITING_MAX, refusal });

  /** Wraps the engine so that each method waits for its turn. */
  function toEngine(sender: TurnRequest): Analytics {
    const methods = Object.entries(analytics).map(([name, method]) => {
      const inTurn = ERASURES.includes(name) ? erasures : questions;
      return [name, (request: never) => inTurn(async () => method(request), sender)];
    });
    // The same methods, with the same requests and answers.
    return Object.fromEntries(methods) as Analytics;
  }

  return (asker, request) =>
    (ask, signal = request.signal) =>
      requests(
        async () => {
          requireReader(asker.within ?? asker.line); // a caller with unread answers gets no further ones
          return ask(toEngine({ ...asker, signal }));
        },
        { ...asker, signal },
      );
}

const ERASURES: readonly string[] = ['eraseVisitor', 'eraseSelected'] satisfies readonly (keyof Analytics)[];
