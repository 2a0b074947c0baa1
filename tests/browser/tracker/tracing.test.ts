import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { createTestService } from '../../support/service.ts';
import { trackedPage } from '../../support/tracked-page.ts';

/** Behaves as error reporters and tracers do: every request of the page gets their headers. */
const WRAPPED_FETCH = `<script>
  const { fetch } = window;
  window.fetch = (url, options) => {
    const headers = new Headers(options.headers);
    headers.set('baggage', 'sentry-environment=production');
    headers.set('sentry-trace', '771a43a4192642f0b136d5159a501700-7ca8d3b2e5f1a2b4-1');
    headers.set('traceparent', '00-771a43a4192642f0b136d5159a501700-7ca8d3b2e5f1a2b4-01');
    return fetch(url, { ...options, headers });
  };
</script>`;

describeInBrowser('requests with headers of other scripts', (browser) => {
  for (const [script, place] of [
    ['tracker.js', 'the address of the contract'],
    ['own.js', 'an address of the settings'],
  ]) {
    test.concurrent(
      `events of a page whose fetch adds tracing headers are stored, sent to ${place}`,
      async () => {
        const service = await createTestService({
          paths: { scripts: ['/own.js'], collect: ['/own/events'] },
        });
        const server = Bun.serve({
          hostname: '127.0.0.1',
          port: 0,
          fetch: (request) => service.app.handle(request),
        });
        try {
          const { apiKey } = await service.addUser();
          const { trackingCode } = await service.addWebsite(apiKey);
          const tag = `<script async src="http://127.0.0.1:${server.port}/${script}" data-tracking-code="${trackingCode}"></script>`;
          await using t = await trackedPage(browser(), { head: () => WRAPPED_FETCH + tag });
          await t.open();
          await t.flush();
          await t.track('batch', 3);
          await t.flush();
          const { body } = await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, {
            token: apiKey,
          });
          expect(body.pagination.total).toBe(4);
          expect(t.problems).toEqual([]);
        } finally {
          await server.stop(true);
          await service.close();
        }
      },
      BROWSER_TEST_TIMEOUT_MS,
    );
  }
});
