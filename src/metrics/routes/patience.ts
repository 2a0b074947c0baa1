/** Maximum that Bun accepts. By then no client is still waiting. */
const SILENCE_MAX_S = 255;

type Context = { request: Request; server: { timeout(request: Request, seconds: number): void } | null };

/**
 * Keeps the connection open until the answer is ready. Bun closes a connection after thirty idle seconds, and a question
 * after a large import waits until everything is read. Called once the request is complete, so that slow senders get no
 * extra time.
 */
export function grantTime({ request, server }: Context): void {
  server?.timeout(request, SILENCE_MAX_S);
}
