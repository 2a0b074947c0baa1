import type { OpenPaths } from '../../http/path.ts';
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';
import type { BrowserFiles } from '../prebuilt.ts';

/** Settings that affect addresses, which the script finds in the page. */
type Where = { paths: OpenPaths; basePath: string; publicUrl: string | undefined };

/** Builds the shell of every dashboard page: the script reads the address and renders the rest. */
export function toDashboardPage(files: BrowserFiles, { paths, basePath, publicUrl }: Where): EncodedAsset {
  const data = {
    base: basePath,
    url: publicUrl,
    script: paths.scripts[0],
    collect: paths.collect[0],
  };
  const attributes = Object.entries(data)
    .filter(([, value]) => value)
    .map(([name, value]) => ` data-${name}="${value}"`);
  return toPage({
    basePath,
    title: 'Pagemeter',
    description: 'Self-hosted web analytics.',
    style: files.dashboardStyle,
    script: files.dashboardScript,
    body: `<div id="root"${attributes.join('')}><noscript>
<main class="page narrow"><h1>Pagemeter</h1>
<p>The dashboard needs JavaScript. Without it, the <a href="/docs">API</a> tells the same.</p></main>
</noscript></div>`,
  });
}
