import type { OpenPaths } from '../../http/path.ts';
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';
import type { BrowserFiles } from '../prebuilt.ts';

/** The shell of every page of the dashboard: the script reads the address and does the rest. */
export function toDashboardPage(files: BrowserFiles, { scripts, collect }: OpenPaths): EncodedAsset {
  return toPage({
    title: 'Pagemeter',
    description: 'Self-hosted web analytics.',
    style: files.dashboardStyle,
    script: files.dashboardScript,
    body: `<div id="root" data-script="${scripts[0]}" data-collect="${collect[0]}"><noscript>
<main class="page narrow"><h1>Pagemeter</h1>
<p>The dashboard needs JavaScript. Without it, the <a href="/docs">API</a> tells the same.</p></main>
</noscript></div>`,
  });
}
