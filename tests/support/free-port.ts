/** A port that nothing listens on at this moment. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  if (port === undefined) throw new Error('There is no free port.');
  return port;
}
