import { Elysia } from 'elysia';
import { Health, Unhealthy } from '../contract/health.ts';
import { senderAddress } from '../http/sender-address.ts';
import { hasProxies, type TrustedProxies } from '../network/trusted-proxies.ts';
import { isSameSecret } from '../process/same-secret.ts';
import { AppError } from '../vocabulary/errors.ts';
import { type HealthDeps, readHealth } from './health.ts';

type Deps = {
  health: HealthDeps;
  /** The text for Prometheus. */
  metricsText: () => string;
  metricsToken: string | undefined;
  trustedProxies: TrustedProxies;
};

/** For monitors, load balancers and Prometheus. HEAD answers like GET, without the body. */
export function operationRoutes({ health, metricsText, metricsToken, trustedProxies }: Deps) {
  return new Elysia()
    .get(
      '/api/health',
      async ({ status }) => {
        const found = await readHealth(health);
        if (found.status !== 'unavailable') return status(200, found);
        const message = found.reasons.join('; ');
        return status(503, { error: 'SERVICE_UNAVAILABLE' as const, message, ...found });
      },
      {
        response: { 200: Health, 503: Unhealthy },
        detail: {
          tags: ['Health'],
          operationId: 'getHealth',
          summary: 'Is the service ready',
          description:
            'Writes to the database, at most every 2 seconds, and looks at the disk, the queue of events, the statistics and the last backup. 503 when requests fail or are about to, also while the service stops.',
        },
      },
    )
    .use(senderAddress())
    .get(
      '/metrics',
      ({ request, isDirect }) => {
        if (metricsToken !== undefined) requireToken(request, metricsToken);
        else requireOwnMachine(isDirect, trustedProxies);
        return new Response(metricsText(), {
          headers: {
            'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
            'Cache-Control': 'no-store',
          },
        });
      },
      { detail: { hide: true } },
    );
}

/** @throws AppError UNAUTHORIZED */
function requireToken({ headers }: Request, token: string): void {
  const given = headers.get('authorization')?.match(/^bearer +(.+)$/i)?.[1] ?? '';
  if (isSameSecret(given, token)) return;
  throw new AppError('UNAUTHORIZED', 'A bearer token is required', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** With a proxy on this machine, a request from here may be anyone's. @throws AppError FORBIDDEN */
function requireOwnMachine(isDirect: boolean, trustedProxies: TrustedProxies): void {
  const isBehindProxy = hasProxies(trustedProxies);
  if (isDirect && !isBehindProxy) return;
  const sentence = isBehindProxy
    ? 'Behind a proxy (TRUST_PROXY) the metrics are for the bearer of METRICS_TOKEN alone'
    : 'Only this machine may read the metrics, unless METRICS_TOKEN is set';
  throw new AppError('FORBIDDEN', sentence);
}
