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
  /** Strangers learn whether the service is ready, not how full its disk is nor when it was copied. */
  function mayLook(request: Request, isDirect: boolean): boolean {
    const isByToken = metricsToken !== undefined && hasToken(request, metricsToken);
    return isByToken || (isDirect && !hasProxies(trustedProxies));
  }

  return new Elysia()
    .use(senderAddress())
    .get(
      '/api/health',
      async ({ request, isDirect, status }) => {
        const found = await readHealth(health);
        const isTrusted = mayLook(request, isDirect);
        const shown = isTrusted ? found : { status: found.status };
        if (found.status !== 'unavailable') return status(200, shown);
        const message = isTrusted ? found.reasons.join('; ') : 'The service is not ready';
        return status(503, { error: 'SERVICE_UNAVAILABLE' as const, message, ...shown });
      },
      {
        response: { 200: Health, 503: Unhealthy },
        detail: {
          tags: ['Health'],
          operationId: 'getHealth',
          summary: 'Is the service ready',
          description:
            'Writes to the database, at most every 2 seconds, and looks at the disk, the queue of events, the statistics and the last backup. 503 when requests fail or are about to, also while the service stops. `reasons` and `checks` are for requests from the server itself, and for the bearer of METRICS_TOKEN.',
        },
      },
    )
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

function hasToken({ headers }: Request, token: string): boolean {
  const given = headers.get('authorization')?.match(/^bearer +(.+)$/i)?.[1] ?? '';
  return isSameSecret(given, token);
}

/** @throws AppError UNAUTHORIZED */
function requireToken(request: Request, token: string): void {
  if (hasToken(request, token)) return;
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
