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
      response: t.Object({
        status: t.Literal('ok'),
        message: t.Literal('pong'),
        timestamp: t.String({ format: 'date-time' }),
        uptime: integer({ description: 'Seconds since the start.' }),
        version: t.String(),
      }),
      detail: { tags: ['Health'], summary: 'Is the process alive' },
    },
  );
}
