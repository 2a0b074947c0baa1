import type { Db } from '../../db/open.ts';
import { findFirstEventMs } from '../../log/first-event.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { createParameters, type Parameters } from './parameters.ts';
import { type Asked, readAsked, type Subject } from './selection.ts';

export type QuestionDeps = {
  db: Db;
  /** Milliseconds since the epoch. */
  now: () => number;
};

export type Question = { parameters: Parameters; subject: Subject; asked: Asked };

/** What a route knows before it reads parameters of its own. Faults are told by `parameters.finish`. */
export async function openQuestion(deps: QuestionDeps, context: QuestionContext): Promise<Question> {
  const { parameters, subject } = openParameters(deps, context);
  return { parameters, subject, asked: await readAsked(parameters, subject) };
}

type QuestionContext = { request: Request; website: WebsiteRow; isOwner?: boolean };

/** The same without a range. */
export function openParameters(
  { db, now }: QuestionDeps,
  { request, website, isOwner = true }: QuestionContext,
): { parameters: Parameters; subject: Subject } {
  const subject = {
    website,
    isOwner,
    nowMs: now(),
    findBeganAtMs: async () => (await findFirstEventMs(db, website.key)) ?? website.createdAtMs,
  };
  return { parameters: createParameters(request.url), subject };
}
