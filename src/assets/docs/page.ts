import type { EncodedAsset } from '../encoded.ts';
import type { OpenApiDocument, Operation } from '../openapi/shapes.ts';
import { toPage } from '../page.ts';
import type { BrowserFiles } from '../prebuilt.ts';
import { toInlineHtml, toParagraphs } from './markdown.ts';
import { toMethodHtml, toOperationHtml } from './operation.ts';

/**
 * Renders the OpenAPI document as a page: plain HTML without scripts, so that it works offline, prints, can be searched in
 * the browser, and needs no exception from the Content Security Policy.
 */
export function toDocsPage(document: OpenApiDocument, files: BrowserFiles, basePath: string): EncodedAsset {
  const { info, components } = document;
  const groups = toGroups(document);
  const navigation = groups.map(toNavigationHtml).join('\n');
  const body = `<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24"> Pagemeter</a>
<span>API ${Bun.escapeHTML(info.version)}</span>
<a href="/docs/guide">Documentation</a>
<a href="/docs/definitions">What the figures mean</a>
<a href="/openapi.json">OpenAPI document</a>
</header>
<div class="columns">
<nav class="side" aria-label="Routes">${navigation}</nav>
<main id="content" tabindex="-1">
<h1>Pagemeter API</h1>
<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${navigation}</nav></details>
${toParagraphs(info.description)}
<p><strong>Examples</strong> are commands for a shell that knows the address of this service and your token:</p>
<pre><code>export PAGEMETER=https://meter.example.com TOKEN=…</code></pre>
${groups
  .map(
    ({ name, description, routes }) => `<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
${toParagraphs(description)}
${routes.map((route) => toOperationHtml(route, components)).join('\n')}
</section>`,
  )
  .join('\n')}
<section aria-labelledby="refusals">
<h2 id="refusals">Refusals</h2>
<dl class="codes">${toRefusalsHtml(document)}</dl>
</section>
</main>
</div>`;
  return toPage({
    basePath,
    title: 'Pagemeter API',
    description: info.summary,
    style: files.docsStyle,
    body,
  });
}

type Route = { method: string; path: string; operation: Operation };
type Group = { name: string; description: string; routes: Route[] };

function toGroups({ tags, paths }: OpenApiDocument): Group[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map((tag) => ({
    ...tag,
    routes: routes.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

function toNavigationHtml({ name, routes }: Group): string {
  const links = routes.map(
    ({ method, operation }) =>
      `<li><a href="#${operation.operationId}">${toMethodHtml(method)} ${Bun.escapeHTML(operation.summary)}</a></li>`,
  );
  return `<p><a href="#${name}">${name}</a></p>\n<ul>${links.join('\n')}</ul>`;
}

function toRefusalsHtml({ components }: OpenApiDocument): string {
  return Object.entries(components.responses)
    .map(
      ([code, { description, headers = {} }]) =>
        `<dt id="${code}"><code>${code}</code></dt><dd>${toInlineHtml(description)}${Object.keys(headers)
          .map((name) => ` With <code>${name}</code>.`)
          .join('')}</dd>`,
    )
    .join('\n');
}
