import definitions from '../../../docs/definitions.md' with { type: 'text' };
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';
import type { BrowserFiles } from '../prebuilt.ts';

/** docs/definitions.md as a page to read. Its text is ours: nothing in it is anybody else's. */
export function toDefinitionsPage(files: BrowserFiles, basePath: string): EncodedAsset {
  const body = `<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24"> Pagemeter</a>
<a href="/docs">API</a>
</header>
<div class="columns article">
<main id="content" tabindex="-1">
${Bun.markdown.html(definitions, { headings: { ids: true } })}
</main>
</div>`;
  const description = 'What visitors, visits and every other figure of the statistics mean.';
  return toPage({
    basePath,
    title: 'What the figures mean · Pagemeter',
    description,
    style: files.docsStyle,
    body,
  });
}
