import { type EncodedAsset, encodeAsset } from './encoded.ts';

/** Forbids external and inline resources and framing, so that markup in untrusted text has no effect. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of a page that these origins may embed. The rest of the policy stays. */
export function toFramedHeaders(origins: readonly string[]): Record<string, string> {
  if (origins.length === 0) return PAGE_HEADERS;
  const ancestors = `frame-ancestors ${origins.join(' ')}`;
  return {
    ...PAGE_HEADERS,
    'content-security-policy': CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", ancestors),
  };
}

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache', // kept, but asked for by its tag each time: it names the bundled files
};

type Page = {
  basePath: string;
  title: string;
  description: string;
  style: string;
  script?: string;
  body: string;
};

/**
 * Builds the frame of every page: `style` and `script` are addresses of bundled files, `body` is HTML. The site's own
 * addresses begin with a slash, and `basePath` is put before them.
 */
export function toPage({ basePath, title, description, style, script, body }: Page): EncodedAsset {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="description" content="${Bun.escapeHTML(description)}">
<title>${Bun.escapeHTML(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${script ? `<script type="module" src="${script}"></script>\n` : ''}</head>
<body>
${body}
</body>
</html>
`;
  const placed = html.replace(/ (href|src)="\//g, ` $1="${basePath}/`);
  return encodeAsset('text/html; charset=utf-8', placed, 9);
}
