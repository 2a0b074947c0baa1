/** Answers at once: how fast the load generator can be. */

const body = JSON.stringify({
  id: '01a1fd1e-0d16-70ce-b071-42ed7b47aac1',
  createdAt: '2026-11-21T08:00:00.000Z',
});
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } }),
});
console.log(`ready at http://localhost:${server.port}`);
