import { Elysia } from 'elysia';
import { requireUser } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import { failures } from '../contract/fault.ts';
import { DemoLoaded } from '../contract/website.ts';
import type { Demo } from './website.ts';

/** POST /demo. It has no counterpart: the demo website is deleted like any other. */
export function demoRoutes({ accounts, demo }: { accounts: Accounts; demo: Demo }) {
  return new Elysia({ prefix: '/demo' })
    .use(requireUser(accounts))
    .post('', async ({ caller, status }) => status(201, await demo.load(caller.userId)), {
      response: {
        201: DemoLoaded,
        ...failures('UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'),
      },
      detail: {
        tags: ['Websites'],
        operationId: 'loadDemo',
        summary: 'Load demo data',
        description:
          'Adds a website of the domain https://demo.example with 90 days of invented traffic, to look around with. Answers when all of it is stored, within seconds. 409 when the account has it already, 429 within a minute of the load before, 503 while others load theirs. What a killed service left of it is replaced. Deleting the website removes it.',
      },
    });
}
