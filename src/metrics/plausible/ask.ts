import type { Analytics } from '../../analytics/analytics.ts';
import { QUESTIONS_MAX } from '../../contract/plausible.ts';
import { validationError } from '../../vocabulary/errors.ts';

/** The engine, with a limit on the questions of one request. */
export type Ask = {
  /** @throws AppError VALIDATION_ERROR beyond QUESTIONS_MAX questions */
  query: Analytics['query'];
  conditions: Analytics['conditions'];
  revenue: Analytics['revenue'];
  /** Throws at once when the request needs more questions than are left. */
  requireLeft(count: number): void;
};

export function createAsk(analytics: Analytics): Ask {
  let left = QUESTIONS_MAX;
  function requireLeft(count: number): void {
    if (count <= left) return;
    throw tooMuch(
      `Together these take more than ${QUESTIONS_MAX} questions: leave one out, filter, or shorten the range`,
    );
  }
  function take(): void {
    requireLeft(1);
    left -= 1;
  }
  return {
    requireLeft,
    query(request) {
      take();
      return analytics.query(request);
    },
    conditions(request) {
      take();
      return analytics.conditions(request);
    },
    revenue(request) {
      take();
      return analytics.revenue(request);
    },
  };
}

export function tooMuch(sentence: string) {
  return validationError('Invalid query', { dimensions: [sentence] });
}
