import type { HigherOrderFunction } from 'elysia/types';
import { pathOf } from '../http/path.ts';
import { type Counters, countAnswer } from './counters.ts';
import type { RequestLog } from './request-log.ts';
import { groupOf, patternOf } from './route-names.ts';

type Options = {
  counters: Counters;
  /** Undefined when nothing is logged. */
  log: RequestLog | undefined;
  routes: () => readonly { path: string }[];
  /** Paths of the event routes. */
  collectionPaths: ReadonlySet<string>;
  monotonicMs: () => number;
};

type Handle = (request: Request) => Response | Promise<Response>;

/**
 * Counts and logs every answer, around everything else. An answer other than that to stored events carries an
 * `X-Request-Id`, which is in the log as well; the id is ours, because a sender's own could hold anything.
 */
export function createObserver({ counters, log, routes, collectionPaths, monotonicMs }: Options) {
  function finish(request: Request, response: Response, startedMs: number): Response {
    const { status } = response;
    const { method } = request;
    const path = pathOf(request);
    const isEvents = method === 'POST' && collectionPaths.has(path);
    const pattern = isEvents ? path : patternOf(routes(), path);
    countOne(isEvents ? 'collection' : groupOf(pattern), status);
    const ms = monotonicMs() - startedMs;
    countAnswer(counters, ms);
    if (isEvents) log?.collected(status, ms);
    if (isEvents && status < 300) return response;
    // Random, because a sequence would reveal the traffic.
    const id = Math.random().toString(36).slice(2, 12);
    response.headers.set('x-request-id', id);
    if (isEvents && status < 500) return response;
    const bytesIn = Number(request.headers.get('content-length')) || 0;
    log?.answered({ method, route: pattern, status, ms, bytesIn, id });
    return response;
  }

  function countOne(group: keyof Counters['requests'], status: number): void {
    const classes = counters.requests[group];
    const index = Math.floor(status / 100) - 1;
    classes[index] = (classes[index] ?? 0) + 1;
  }

  const observe =
    (handle: Handle): Handle =>
    (request) => {
      const startedMs = monotonicMs();
      const answer = handle(request);
      if (answer instanceof Response) return finish(request, answer, startedMs);
      return answer.then(
        (response) => finish(request, response, startedMs),
        (error: unknown) => {
          countOne('unknown', 500); // Bun answers errors that escape the application
          throw error;
        },
      );
    };
  // Elysia's type of what wraps its handler says less than what it is.
  return observe as unknown as HigherOrderFunction;
}
