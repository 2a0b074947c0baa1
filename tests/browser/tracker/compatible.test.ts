import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { createTestService } from '../../support/service.ts';
import { startSite } from '../../support/site.ts';

const UUID = '8f6f0c1a-52ff-4a58-a1ce-6b0d9a1f0c11';

/** Plausible's package for browsers, bundled with what a page does with it. */
async function bundle(apiHost: string): Promise<string> {
  const folder = mkdtempSync(join(import.meta.dir, 'bundle-'));
  try {
    const entry = join(folder, 'page.ts');
    writeFileSync(
      entry,
      `import Plausible from 'plausible-tracker';
      const plausible = Plausible({ domain: 'example.com', apiHost: '${apiHost}', trackLocalhost: true });
      plausible.trackPageview();
      plausible.trackEvent('Signup', { props: { method: 'mail' } });`,
    );
    const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser' });
    return (await outputs[0]?.text()) ?? '';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeInBrowser('the paths of other products', (browser) => {
  test(
    'take what scripts of Plausible, Umami and Matomo send from a page of another origin',
    async () => {
      const service = await createTestService({ compatible: ['umami', 'plausible', 'matomo'] });
      const { token } = await service.signUp();
      const { id, trackingCode } = await service.addWebsite(token);
      const oldIds = [`umami:${UUID}`, 'plausible:example.com', 'matomo:7'];
      await service.send('PATCH', `/api/v1/websites/${id}/settings`, {
        token,
        body: { oldIds, leavesOutLocalPages: false },
      });
      service.app.listen({ port: 0, hostname: '127.0.0.1' });
      const url = `http://127.0.0.1:${service.app.server?.port}`;
      const script = await bundle(url);
      const site = startSite('', {
        '/old.js': new Response(script, { headers: { 'Content-Type': 'text/javascript' } }),
      });
      const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
      const context = await browser().newContext({ userAgent });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(`${site.origin}/shop?utm_source=news`);
      await page.addScriptTag({ url: '/old.js' });
      const answers = await page.evaluate(
        async ([target, website]) => {
          // As Umami's script does, with the header that needs a preflight, and as Matomo's does.
          const payload = {
            website,
            hostname: location.hostname,
            url: location.href,
            referrer: '',
            screen: '800x600',
          };
          const umami = await fetch(`${target}/api/send`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'x-umami-cache': 'a.b.c' },
            body: JSON.stringify({ type: 'event', payload }),
            credentials: 'omit',
          });
          const query = `idsite=7&rec=1&url=${encodeURIComponent(location.href)}&_id=0123456789abcdef`;
          const form = new Blob([query], { type: 'application/x-www-form-urlencoded; charset=UTF-8' });
          const isSent = navigator.sendBeacon(`${target}/matomo.php`, form);
          const image = new Image();
          image.src = `${target}/matomo.php?${query}`;
          await image.decode();
          return { umami: await umami.json(), isSent, width: image.width };
        },
        [url, UUID] as const,
      );
      expect(answers).toEqual({ umami: { cache: '' }, isSent: true, width: 1 });
      const list = `/api/v1/events?trackingCode=${trackingCode}&limit=100`;
      let stored: { eventType: string; url: string }[] = [];
      while (stored.length < 5) {
        ({ events: stored } = (await service.send('GET', list, { token })).body);
        await Bun.sleep(20);
      }
      expect(stored.map(({ eventType }) => eventType).toSorted()).toEqual([
        'custom',
        ...Array.from({ length: 4 }, () => 'pageview'),
      ]);
      expect(new Set(stored.map((event) => event.url))).toEqual(
        new Set([`${site.origin}/shop?utm_source=news`]),
      );
      expect(problems).toEqual([]);
      await context.close();
      site.stop();
      await service.app.server?.stop(true);
      await service.close();
    },
    BROWSER_TEST_TIMEOUT_MS,
  );
});
