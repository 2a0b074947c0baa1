import { toExample } from '../openapi/examples.ts';
import type { Components, Operation, Response, Schema } from '../openapi/shapes.ts';
import { toFieldsHtml, toParametersHtml } from './fields.ts';
import { toInlineHtml, toParagraphs } from './markdown.ts';

type Route = { method: string; path: string; operation: Operation };

/** Renders a route: its purpose, parameters, an example to copy, and its responses. */
export function toOperationHtml(route: Route, { schemas }: Components): string {
  const { method, path, operation } = route;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  return `<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><a href="#${operationId}">${Bun.escapeHTML(summary)}</a></h3>
<p class="address">${toMethodHtml(method)} <code>${Bun.escapeHTML(path).replaceAll('/', '/<wbr>')}</code></p>
${description ? toParagraphs(description) : ''}
<p class="access">${toAccessText(operation)}</p>
${titled('Parameters', toParametersHtml(parameters, schemas))}
${titled('Body', body ? toFieldsHtml(body.schema, schemas) : '')}
${titled('Example', `<pre><code>${Bun.escapeHTML(toCurl(route, schemas))}</code></pre>`)}
<h4>Answers</h4>
${Object.entries(responses)
  .map(([status, response]) => ('$ref' in response ? '' : toAnswerHtml(status, response, schemas)))
  .join('\n')}
<p class="refusals">Refusals: ${Object.entries(responses)
    .flatMap(([status, response]) => ('$ref' in response ? [toRefusalLink(status, response.$ref)] : []))
    .join(' ')}</p>
</section>`;
}

export function toMethodHtml(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function titled(title: string, html: string): string {
  return html === '' ? '' : `<h4>${title}</h4>\n${html}`;
}

function toAccessText({ security }: Operation): string {
  if (!security?.length) return 'Needs no credentials.';
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  const isOpen = security.some((requirement) => Object.keys(requirement).length === 0);
  if (isOpen && schemes.includes('bearerAuth'))
    return 'Needs an access token or an API key, unless the website is public.';
  if (isOpen) return 'Needs no credentials; heeds an API key.';
  return schemes.includes('apiKeyAuth') ? 'Needs an access token or an API key.' : 'Needs an access token.';
}

/** Returns a command that works once $PAGEMETER and $TOKEN are set, as the introduction explains. */
function toCurl({ method, path, operation }: Route, schemas: Record<string, Schema>): string {
  const { parameters = [], requestBody, security } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${String(toExample(schema, schemas))}`)
    .join('&');
  const address = `$PAGEMETER${path.replaceAll(/\{(\w+)\}/g, '$$$1')}${query && `?${query}`}`;
  const needsToken = security?.some((requirement) => 'bearerAuth' in requirement);
  const example = requestBody?.content['application/json'].example;
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(example === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(example, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ');
}

function toAnswerHtml(status: string, { description, content }: Response, schemas: Record<string, Schema>) {
  const body = content?.['application/json'];
  if (!body) return '';
  return `<details><summary><span class="status">${status}</span> ${toInlineHtml(description)}</summary>
<pre><code>${Bun.escapeHTML(JSON.stringify(body.example, null, 2))}</code></pre>
${toFieldsHtml(body.schema, schemas)}
</details>`;
}

function toRefusalLink(status: string, reference: string): string {
  const code = reference.split('/').at(-1) ?? '';
  return `<a href="#${code}" title="${code}">${status}</a>`;
}
