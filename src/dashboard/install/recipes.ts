/** How the script gets onto pages, for the ways in which websites are made. `tag` is the script tag. */

export type Recipe = { id: string; name: string; where: string; code: string; note?: string };

type Given = { origin: string; trackingCode: string };

export function toTag({ origin, trackingCode }: Given): string {
  return `<script async src="${origin}/tracker.js" data-tracking-code="${trackingCode}"></script>`;
}

export function recipesFor(given: Given): Recipe[] {
  const { origin, trackingCode } = given;
  const tag = toTag(given);
  const { host } = new URL(origin);
  return [
    { id: 'html', name: 'HTML', where: 'In the <head> of every page.', code: tag },
    {
      id: 'next',
      name: 'Next.js',
      where: 'In app/layout.tsx, inside <body>.',
      code: `import Script from 'next/script';

<Script
  src="${origin}/tracker.js"
  data-tracking-code="${trackingCode}"
  strategy="afterInteractive"
/>`,
      note: 'Changes of the route are counted by themselves.',
    },
    {
      id: 'nuxt',
      name: 'Vue, Nuxt',
      where: 'Vue: the tag goes into index.html. Nuxt: in nuxt.config.ts.',
      code: `export default defineNuxtConfig({
  app: {
    head: {
      script: [
        {
          src: '${origin}/tracker.js',
          async: true,
          'data-tracking-code': '${trackingCode}',
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
    s.src = '${origin}/tracker.js?code=${trackingCode}';
    d.head.appendChild(s);
  })(document);
</script>`,
      note: 'Tag managers strip data attributes, so the code stands in the address.',
    },
    {
      id: 'nginx',
      name: 'Own domain: nginx',
      where: 'In the server block of your website: the script and its events come from your own domain.',
      code: `location = /stats/t.js { proxy_pass ${origin}/tracker.js; }
location /stats/e {
  proxy_pass ${origin}/api/v1/events;
  proxy_set_header Host ${host};
  proxy_set_header X-Forwarded-For $remote_addr;
}`,
      note: `The tag is then <script async src="/stats/t.js" data-tracking-code="${trackingCode}" data-api-url="/stats/e"></script>. Set TRUST_PROXY to the number of proxies in front of Pagemeter.`,
    },
    {
      id: 'caddy',
      name: 'Own domain: Caddy',
      where: 'In the block of your website.',
      code: `handle /stats/t.js {
  rewrite * /tracker.js
  reverse_proxy ${origin} {
    header_up Host ${host}
  }
}
handle_path /stats/e* {
  rewrite * /api/v1/events{path}
  reverse_proxy ${origin} {
    header_up Host ${host}
  }
}`,
      note: `The tag is then <script async src="/stats/t.js" data-tracking-code="${trackingCode}" data-api-url="/stats/e"></script>. Set TRUST_PROXY to the number of proxies in front of Pagemeter.`,
    },
  ];
}
