import type { Sql } from '../../log/clickhouse/sql.ts';
import type { Selection } from '../interface/selection.ts';
import { findCuts, isRefusedAsLonger } from './cuts.ts';
import { type PartAnswer, readParts } from './groups.ts';
import { countParts, type Part } from './parts.ts';
import {
  isOfOneMoment,
  openReadWindow,
  type QuestionScope,
  type ReadWindow,
  type Source,
} from './read-window.ts';
import type { Scan } from './scan.ts';

const ATTEMPTS = 3;

/**
 * Answers a question by several statements on one snapshot: events stored in between are left out, and after an erasure in
 * between the question is asked again.
 */
export async function ask<Answer>(
  source: Source,
  scope: QuestionScope,
  work: (window: ReadWindow) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const window = await openReadWindow(source, scope);
    const answer = await work(window).catch(async (error: unknown) => {
      if (!isRefusedAsLonger(error)) throw error;
      return work({ ...window, cuts: await findCuts(source, window) });
    });
    if (attempt === ATTEMPTS || (await isOfOneMoment(source, scope, window))) return answer;
  }
}

export function toScope(request: Selection): QuestionScope {
  const { websiteKey, fromMs, toMs, traffic = 'people' } = request;
  return { websiteKeys: [websiteKey], fromMs, toMs, traffic, needsFirstVisits: namesFirstVisits(request) };
}

/** Whether a filter, step or breakdown anywhere in a request depends on visitors' first visits. */
function namesFirstVisits(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { op, dimension } = part as { op?: unknown; dimension?: unknown };
  if (op === 'first_visit' || op === 'first_seen' || dimension === 'visitorType') return true;
  return Object.values(part).some(namesFirstVisits);
}

/** @param matching condition by which an event `e` matches */
export async function askParts(
  { server }: Source,
  scan: Scan,
  { parts, matching }: { parts: readonly Part[]; matching: Sql },
): Promise<PartAnswer[]> {
  if (parts.length === 0) return [];
  return readParts(await server.read(countParts(scan, parts, matching)), parts);
}
