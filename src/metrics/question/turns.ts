import type { Analytics } from '../../analytics/analytics.ts';
import { type AnswerBudget, accountReader } from '../../http/answer-budget.ts';
import { type CancelSignal, createTurns, type Sender } from '../../process/turns.ts';
import { unavailableError } from '../../vocabulary/errors.ts';

/** Answers what one request asks, when its turn has come. @throws AppError SERVICE_UNAVAILABLE when too many wait */
export type AskInTurn = <Answer>(
  ask: (analytics: Analytics) => Promise<Answer>,
  /** In place of the request: an answer that several wait for. */
  signal?: CancelSignal,
) => Promise<Answer>;

/** Who asks: an account, or a stranger at an address among all strangers of one owner's public websites. */
export type Asker = { line: string; within?: string };

/** The only way of requests to the engine. */
export type QuestionTurns = (asker: Asker, request: { signal: AbortSignal }) => AskInTurn;

/** Of one account, or of all strangers of an owner’s public websites: an answer may be 11 MB of JSON (20 lists of 1,000 rows, compared). */
const REQUESTS_OF_ONE_MAX = 4;
/** Of all together: eight accounts that ask for as much as they may. */
const REQUESTS_MAX = 32;
const WAITING_MAX = 100;
/**
 * The engine answers in the order in which it is asked, so a neighbour waits for all that it was handed: one to work on,
 * and one at hand when that is done. With one alone a dashboard of twelve questions took 5 to 10 % longer.
 */
const ENGINE_MAX = 2;
/** More than the requests at work ask at once; files that are read page by page come on top. */
const ENGINE_WAITING_MAX = 2_000;
/** Each has the place of a request until it is done: a quarter of them at most, so that questions go on. */
const ERASURES_WAITING_MAX = 7;
const RETRY_AFTER_S = 5;

export const accountLine = (userId: string): Asker => ({ line: accountReader(userId) });
/** @param address null: unknown. An owner may have a thousand public websites, but their strangers have one share. */
export const strangersLine = (ownerId: string, address: string | null): Asker => ({
  line: `strangers ${ownerId}`,
  within: address ?? '',
});

/**
 * Questions of requests take turns by who asks, in front of an engine that answers one after the other. A request has a
 * place until it is answered, and each of its questions waits for the engine. Erasures are no questions: one at a time
 * is carried out beside them.
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

  /** The engine, each of whose methods waits for its turn. */
  function toEngine(sender: Sender): Analytics {
    const methods = Object.entries(analytics).map(([name, method]) => {
      const inTurn = ERASURES.includes(name) ? erasures : questions;
      return [name, (request: never) => inTurn(async () => method(request), sender)];
    });
    // The same methods, which take and answer the same.
    return Object.fromEntries(methods) as Analytics;
  }

  return (asker, request) =>
    (ask, signal = request.signal) =>
      requests(
        async () => {
          requireReader(asker.within ?? asker.line); // who has not read the answers before gets no more made
          return ask(toEngine({ ...asker, signal }));
        },
        { ...asker, signal },
      );
}

const ERASURES: readonly string[] = ['eraseVisitor', 'eraseSelected'] satisfies readonly (keyof Analytics)[];
