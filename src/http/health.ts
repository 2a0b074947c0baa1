import { Elysia, t } from 'elysia';
import { version } from '../../package.json';
import { integer } from '../contract/types.ts';

/** GET /api/ping: the process answers. Looks at nothing else. */
export function healthRoutes(now: () => number) {
  const startedAtMs = now();
  return new Elysia().get(
    '/api/ping',
    () => ({
      status: 'ok' as const,
      message: 'pong' as const,
      timestamp: new Date(now()).toISOString(),
      uptime: Math.floor((now() - startedAtMs) / 1000),
      version,
    }),
    {
      response: t.Object(
        {
          status: t.Literal('ok', { description: 'Always the same.' }),
          message: t.Literal('pong', { description: 'Always the same.' }),
          timestamp: t.String({ format: 'date-time', description: 'The time of the server, UTC.' }),
          uptime: integer({ description: 'Whole seconds since the start.' }),
          version: t.String({ description: 'The version of the service.', examples: [version] }),
        },
        { description: 'The process answers.' },
      ),
      detail: {
        tags: ['Health'],
        operationId: 'ping',
        summary: 'Is the process alive',
        description: 'Looks at nothing else, neither the database nor the disk.',
      },
    },
  );
}
