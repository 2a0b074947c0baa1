/** Installation instructions for different kinds of websites. `tag` is the script tag. */

type Recipe = { id: string; name: string; where: string; code: string; note?: string };

/** `script` and `collect` are paths of this server. */
type Given = { origin: string; script: string; collect: string; trackingCode: string; mode?: TrackerMode };

/** Modes of the script, by what it keeps in the browser. The first one is the default. */
export const TRACKER_MODES = ['browser', 'anonymous', 'consent', 'session'] as const;
export type TrackerMode = (typeof TRACKER_MODES)[number];

export function recipesFor(given: Given): Recipe[] {
  const { origin, script, trackingCode, mode = TRACKER_MODES[0] } = given;
  const isDefault = mode === TRACKER_MODES[0];
  const attribute = isDefault ? '' : ` data-mode="${mode}"`;
  const tag = `<script async src="${origin}${script}" data-tracking-code="${trackingCode}"${attribute}></script>`;
  return [
    { id: 'html', name: 'HTML', where: 'In the <head> of every page.', code: tag },
    {
      id: 'next',
      name: 'Next.js',
      where: 'In app/layout.tsx, inside <body>.',
      code: `import Script from 'next/script';

<Script
  src="${origin}${script}"
  data-tracking-code="${trackingCode}"${isDefault ? '' : `\n  data-mode="${mode}"`}
  strategy="afterInteractive"
/>`,
      note: 'Route changes are counted automatically.',
    },
    {
      id: 'nuxt',
      name: 'Vue, Nuxt',
      where: 'Vue: add the tag to index.html. Nuxt: in nuxt.config.ts.',
      code: `export default defineNuxtConfig({
  app: {
    head: {
      script: [
        {
          src: '${origin}${script}',
          async: true,
          'data-tracking-code': '${trackingCode}',${isDefault ? '' : `\n          'data-mode': '${mode}',`}
        },
      ],
    },
  },
});`,
    },
    {
      id: 'static',
      name: 'Astro, Hugo',
      where:
        'Astro: in the <head> of your layout, with is:inline. Hugo: in layouts/partials/head.html, without it.',
      code: tag.replace('<script ', '<script is:inline '),
    },
    {
      id: 'wordpress',
      name: 'WordPress',
      where: 'In functions.php of your (child) theme, or in a plugin for code snippets.',
      code: `add_action('wp_head', function () { ?>
  ${tag}
<?php });`,
    },
    {
      id: 'gtm',
      name: 'Tag Manager',
      where: 'A new tag of type "Custom HTML", triggered on all pages.',
      code: `<script>
  (function (d) {
    var s = d.createElement('script');
    s.async = true;
    s.src = '${origin}${script}?code=${trackingCode}${isDefault ? '' : `&mode=${mode}`}';
    d.head.appendChild(s);
  })(document);
</script>`,
      note: 'Tag managers strip data attributes, so the tracking code is part of the URL.',
    },
    {
      id: 'nginx',
      name: 'Own domain: nginx',
      where: 'In the server block of your website: the script and its events come from your own domain.',
      code: ownDomainWithNginx(given),
      note: noteOfOwnDomain(trackingCode, attribute),
    },
    {
      id: 'caddy',
      name: 'Own domain: Caddy',
      where: 'In the block of your website.',
      code: ownDomainWithCaddy(given),
      note: noteOfOwnDomain(trackingCode, attribute),
    },
  ];
}

/**
 * Exact locations only: a prefix would expose more than these addresses, and a pattern such as `\.js$` does not match them.
 * Many servers refuse requests without SNI. The analytics server must not receive the website's cookies and passwords.
 */
function ownDomainWithNginx({ origin, script, collect }: Given): string {
  const sni = origin.startsWith('https:') ? '\n  proxy_ssl_server_name on;' : '';
  const location = (path: string, target: string) => `location = ${path} {
  proxy_pass ${origin}${target};${sni}
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header Cookie "";
  proxy_set_header Authorization "";
}`;
  return [
    location('/stats/s.js', script),
    location('/stats/e', collect),
    location('/stats/e/batch', `${collect}/batch`),
  ].join('\n');
}

function ownDomainWithCaddy({ origin, script, collect }: Given): string {
  const handle = (path: string, target: string) => `handle ${path} {
  rewrite * ${target}
  reverse_proxy ${origin} {
    header_up Host {upstream_hostport}
    header_up -Cookie
    header_up -Authorization
  }
}`;
  return [
    handle('/stats/s.js', script),
    handle('/stats/e', collect),
    handle('/stats/e/batch', `${collect}/batch`),
  ].join('\n');
}

function noteOfOwnDomain(trackingCode: string, attribute: string): string {
  return `The tag is then <script async src="/stats/s.js" data-tracking-code="${trackingCode}"${attribute} data-api-url="/stats/e"></script>. The proxy in front of Pagemeter has to know this server's address, or all visitors come from it: see "Your own domain" in docs/proxies.md.`;
}
