/** The most that Bun takes. An answer that is this late has nobody left who waits for it. */
const SILENCE_MAX_S = 255;

type Context = { request: Request; server: { timeout(request: Request, seconds: number): void } | null };

/**
 * Keeps the connection open until the answer comes. Bun closes one on which nothing was sent for thirty seconds, and the
 * question after a large import is answered when all of it was read. Called once the request is complete, so that a
 * sender who dawdles gets no more time than before.
 */
export function grantTime({ request, server }: Context): void {
  server?.timeout(request, SILENCE_MAX_S);
}
