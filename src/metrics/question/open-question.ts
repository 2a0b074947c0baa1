import type { Access } from '../../access/access.ts';
import type { Goals } from '../../goals/service.ts';
import { createParameters, type Parameters } from '../../http/parameters.ts';
import type { LogReads } from '../../log/log-reads.ts';
import type { Annotations } from '../../saved/annotations.ts';
import type { Segments } from '../../saved/segments.ts';
import type { Sums } from '../../sums/store.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { findKnown } from './known.ts';
import { type Asked, readAsked, type Subject } from './selection.ts';
import { toMembers } from './website-set.ts';

export type QuestionDeps = {
  log: Pick<LogReads, 'findFirstMs' | 'findEarliestMs'>;
  goals: Pick<Goals, 'listCounted'>;
  segments: Pick<Segments, 'listAsStored'>;
  annotations: Pick<Annotations, 'listAround'>;
  sums: Pick<Sums, 'findFirstDays' | 'read'>;
  /** Returns milliseconds since the epoch. */
  now: () => number;
};

export type Question = { parameters: Parameters; subject: Subject; asked: Asked };

/** Reads what every route needs before its own parameters. `parameters.finish` reports faults. */
export async function openQuestion(deps: QuestionDeps, context: QuestionContext): Promise<Question> {
  const { parameters, subject } = await openParameters(deps, context);
  return { parameters, subject, asked: await readAsked(parameters, subject) };
}

type QuestionContext = {
  request: Request;
  access: Access;
  /** Websites of a set. */
  members?: readonly WebsiteRow[] | undefined;
};

/** Does the same for routes without a range. */
export async function openParameters(
  deps: QuestionDeps,
  { request, access, members }: QuestionContext,
): Promise<{ parameters: Parameters; subject: Subject }> {
  const { log, now } = deps;
  const { website } = access;
  const subject = {
    website,
    access,
    nowMs: now(),
    async findBeganAtMs() {
      const [eventMs, days] = await Promise.all([
        findFirstMs(log, { website, members }),
        deps.sums.findFirstDays(website.key),
      ]);
      return Math.min(eventMs ?? website.createdAtMs, ...[...days.values()].map((day) => day * DAY_MS));
    },
    ...(await findKnown(deps, access)),
    ...(members && { members: toMembers(members) }),
  };
  return { parameters: createParameters(request.url), subject };
}

/** Returns the instant of the first event of a website, or of the websites of a set. */
export function findFirstMs(
  log: QuestionDeps['log'],
  { website, members }: { website: { key: number }; members?: readonly WebsiteRow[] | undefined },
): Promise<number | undefined> {
  return members ? log.findEarliestMs(members.map(({ key }) => key)) : log.findFirstMs(website.key);
}
