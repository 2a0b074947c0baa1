import { Elysia } from 'elysia';
import type { AccessRules } from '../access/access.ts';
import { openWebsite, REFUSALS, REFUSALS_OF_BODIES, WebsiteId } from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { CheckInput, WebsiteCheck } from '../contract/website-check.ts';
import type { Bodies } from '../http/bodies.ts';
import { senderAddress } from '../http/sender-address.ts';
import { trimFields } from '../http/trim-fields.ts';
import { CHECKS_PER_ACCOUNT_MAX } from '../vocabulary/contract.ts';
import { validationError } from '../vocabulary/errors.ts';
import type { Checks } from './service.ts';

type Deps = {
  access: AccessRules;
  bodies: Bodies;
  checks: Checks;
  /** Whether a page on loopback may be fetched: never, for direct requests, or always. */
  loopback: 'never' | 'direct' | 'always';
};

/** POST /websites/:id/check. A request goes out for it, so an API key needs the scope `write`. */
export function checkRoutes({ access, bodies, checks, loopback }: Deps) {
  return new Elysia({ prefix: '/websites' })
    .use(openWebsite({ access }, 'Missing or invalid authorization header'))
    .use(senderAddress())
    .use(bodies.json())
    .post(
      '/:id/check',
      async ({ website, body, isDirect }) => {
        const origin = URL.parse(body.origin)?.origin;
        if (origin === undefined)
          throw validationError('Invalid request data', {
            origin: ['Must be an origin such as https://meter.example.com'],
          });
        const allowsLoopback = loopback === 'always' || (loopback === 'direct' && isDirect);
        return checks.check(website, origin, allowsLoopback);
      },
      {
        transform: trimFields('origin'),
        params: WebsiteId,
        body: CheckInput,
        response: {
          200: WebsiteCheck,
          ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'RATE_LIMITED'),
        },
        detail: {
          tags: ['Websites'],
          operationId: 'checkWebsite',
          summary: 'Say why no figures appear',
          description: `Fetches the website's registered address from the server (public addresses, at ports 80, 443 and from 1024 on, at most 8 seconds, 1 MiB and 3 redirects, no credentials) and looks for the script, its tracking code and what the Content Security Policy lets through; adds what has arrived lately and was refused or left out. The page itself is never part of the answer. 429 while a check of this website or ${CHECKS_PER_ACCOUNT_MAX} of your others are on their way, 503 while many of other accounts are. An API key needs the scope \`write\`.`,
        },
      },
    );
}
