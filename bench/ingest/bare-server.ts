import { Elysia } from 'elysia';

/** A bare Elysia route that parses the same body and answers JSON: the least that a request costs here. */

const app = new Elysia().post('/api/v1/events', ({ body, set }) => {
  const { id, eventType, url, sessionId, visitorId } = body as Record<string, unknown>;
  set.status = 201;
  return { id, eventType, url, sessionId, visitorId, createdAt: new Date().toISOString() };
});
app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false });
console.log(`ready at http://localhost:${app.server?.port}`);
