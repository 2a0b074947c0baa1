/** An answer, or the content of the page's body with a place for the script. */
type Page = string | Response | ((request: Request) => Response | Promise<Response>);

/** A site that is tracked: serves the given pages by path, and any other path as an empty page with `head`. */
export function startSite(head: string, pages: Record<string, Page> = {}) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const page = pages[new URL(request.url).pathname] ?? '';
      if (typeof page === 'function') return page(request);
      if (page instanceof Response) return page.clone();
      const html = `<!doctype html><html><head><meta charset="utf-8"><title>Site</title><link rel="icon" href="data:,">${head}</head><body>${page}</body></html>`;
      return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  };
}

export const CODE = 'pm-test-1700000000000';

/**
 * Stands before the tag: pauses of seconds never end on this page, so that what is sent was not sent because one was
 * over.
 */
export const ENDLESS_PAUSES = `<script>
  const wait = setTimeout;
  window.setTimeout = (work, ms) => (ms >= 4_000 ? 1 : wait(work, ms));
</script>`;

/** The tag of the documentation. */
export const tag = (collector: { origin: string }, attributes = '', name = 'tracker.js') =>
  `<script async src="${collector.origin}/${name}" data-tracking-code="${CODE}" ${attributes}></script>`;
