import { unavailableError } from '../vocabulary/errors.ts';
import { turn } from './garbage.ts';
import { type CancelSignal, createTurns } from './turns.ts';

/** Makes a list in the turn of its account. @throws AppError SERVICE_UNAVAILABLE when too many wait */
export type ListTurns = <List>(
  account: string,
  request: { signal: CancelSignal },
  make: () => Promise<List>,
) => Promise<List>;

const WAITING_MAX = 200;
const RETRY_AFTER_S = 2;

/**
 * Lists are made one at a time, and other requests are answered between two of them: the longest take 30 ms, and twenty at
 * once would otherwise be one piece of work.
 */
export function createListTurns(): ListTurns {
  const oneByOne = createTurns({
    atWorkMax: 1,
    waitingMax: WAITING_MAX,
    refusal: () => unavailableError('Too many lists are waiting; try again in a moment', RETRY_AFTER_S),
  });
  return (account, { signal }, make) =>
    oneByOne(
      async () => {
        await turn();
        return make();
      },
      { line: account, signal },
    );
}
