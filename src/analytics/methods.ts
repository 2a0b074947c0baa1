import type { Analytics, Method, QuestionName } from './analytics.ts';

type Request<Name extends QuestionName> = Parameters<Analytics[Name]>[0];
type Answer<Name extends QuestionName> = Awaited<ReturnType<Analytics[Name]>>;

/** Functions that answer each question from a source. */
export type Questions<Source> = {
  [Name in QuestionName]: (request: Request<Name>, source: Source) => Answer<Name> | Promise<Answer<Name>>;
};

/** Creates a method for each name that passes its request on. `call` must answer as `Analytics` declares. */
export function forward<Name extends Method>(
  names: readonly Name[],
  call: (name: Name, request: unknown) => Promise<unknown>,
): Pick<Analytics, Name> {
  const methods = names.map((name) => [name, (request: unknown) => call(name, request)]);
  return Object.fromEntries(methods) as Pick<Analytics, Name>;
}

/** Answers one question. The request has the right type, because `forward` passes on what its method received. */
export async function answer<Source>(
  questions: Questions<Source>,
  name: QuestionName,
  request: unknown,
  source: Source,
): Promise<unknown> {
  const question = questions[name] as (request: unknown, source: Source) => unknown;
  return question(request, source);
}
