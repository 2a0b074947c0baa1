import { join } from 'node:path/posix';
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';
import type { BrowserFiles } from '../prebuilt.ts';
import type { Documents } from './documents.ts';

const INDEX = 'README.md';

/** Returns the path in docs/ of the document served under `/docs/<name>`: `guide` and `commands` are indexes. */
export function toDocumentPath(name: string): string {
  if (name === 'guide') return INDEX;
  return name === 'commands' ? `commands/${INDEX}` : `${name}.md`;
}

/** Renders a document of docs/ as a page that links to the others. Its Markdown is trusted. */
export function toGuidePage(
  path: string,
  documents: Documents,
  files: BrowserFiles,
  basePath: string,
): EncodedAsset | undefined {
  if (!Object.hasOwn(documents, path)) return undefined;
  const html = linkPages(
    Bun.markdown.html(documents[path] ?? '', { headings: { ids: true } }),
    path,
    documents,
  );
  const title = toText(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? path);
  const body = `<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24"> Pagemeter</a>
<a href="/docs/guide">Documentation</a>
<a href="/docs">API</a>
</header>
<div class="columns article">
${toContents(html)}
<main id="content" tabindex="-1">
${html}
</main>
</div>`;
  return toPage({
    basePath,
    title: `${title} · Pagemeter`,
    description: toText(/<p>(.*?)<\/p>/s.exec(html)?.[1] ?? title).slice(0, 200),
    style: files.docsStyle,
    body,
  });
}

/**
 * Converts links between documents to links between pages. Links to files outside docs/ become text, because servers lack
 * those files.
 */
function linkPages(html: string, path: string, documents: Documents): string {
  return html.replace(
    /<a href="(?![a-z]+:|#|\/)([^"#]*)(#[^"]*)?">(.*?)<\/a>/gs,
    (_, href: string, hash, text) => {
      const target = join(path, '..', href);
      if (!Object.hasOwn(documents, target)) return text;
      return `<a href="/docs/${toPageName(target)}${hash ?? ''}">${text}</a>`;
    },
  );
}

function toPageName(path: string): string {
  if (path === INDEX) return 'guide';
  return path.replace(/\/README\.md$/, '').replace(/\.md$/, '');
}

/** Renders the chapters of a long page as a list of links. */
function toContents(html: string): string {
  const chapters = [...html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/gs)];
  if (chapters.length < 3) return '';
  const links = chapters.map(([, id, text = '']) => `<li><a href="#${id}">${toText(text)}</a></li>`);
  return `<nav class="side" aria-label="Contents"><ul>${links.join('\n')}</ul></nav>`;
}

function toText(html: string): string {
  return html.replace(/<[^>]*>/g, '');
}
