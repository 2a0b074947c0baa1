import type { Query } from './client.ts';
import { ask, type Place } from './place.ts';
import { type AnswerOptions, useAnswer } from './use-answer.ts';

/** The answer of a report of a website. @param question undefined asks nothing */
export function useReport<Answer>(
  place: Place,
  path: string,
  question: Query | undefined,
  options?: AnswerOptions,
) {
  return useAnswer(
    question && `${path} ${place.base} ${JSON.stringify(question)}`,
    (signal) => ask<Answer>(place, path, question ?? {}, signal),
    options,
  );
}

export type Report<Answer> = ReturnType<typeof useReport<Answer>>;
