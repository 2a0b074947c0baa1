import type { Analytics, Method, QuestionName } from './analytics.ts';

type Request<Name extends QuestionName> = Parameters<Analytics[Name]>[0];
type Answer<Name extends QuestionName> = Awaited<ReturnType<Analytics[Name]>>;

/** A function for each question, answered from a source. */
export type Questions<Source> = {
  [Name in QuestionName]: (request: Request<Name>, source: Source) => Answer<Name> | Promise<Answer<Name>>;
};

/** Makes a method for each name, which hands its request on. `call` must answer each as `Analytics` promises. */
export function forward<Name extends Method>(
  names: readonly Name[],
  call: (name: Name, request: unknown) => Promise<unknown>,
): Pick<Analytics, Name> {
  const methods = names.map((name) => [name, (request: unknown) => call(name, request)]);
  return Object.fromEntries(methods) as Pick<Analytics, Name>;
}

/** Answers one question. Its request was made for it: `forward` hands on what the method of that name was called with. */
export async function answer<Source>(
  questions: Questions<Source>,
  name: QuestionName,
  request: unknown,
  source: Source,
): Promise<unknown> {
  const question = questions[name] as (request: unknown, source: Source) => unknown;
  return question(request, source);
}
