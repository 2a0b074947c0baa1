import type { BrowserFiles } from '../browser-files.ts';
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';

/** docs/definitions.md as a page to read. Its text is ours: nothing in it is anybody else's. */
export async function toDefinitionsPage(files: BrowserFiles): Promise<EncodedAsset> {
  const markdown = await Bun.file(new URL('../../../docs/definitions.md', import.meta.url)).text();
  const body = `<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24"> Pagemeter</a>
<a href="/docs">API</a>
</header>
<div class="columns article">
<main id="content" tabindex="-1">
${Bun.markdown.html(markdown, { headings: { ids: true } })}
</main>
</div>`;
  const description = 'What visitors, visits and every other figure of the statistics mean.';
  return toPage({ title: 'What the figures mean · Pagemeter', description, style: files.docsStyle, body });
}
