/** Paths that new tags use on this server, from settings written into the page. */
export function ownPaths(): { script: string; collect: string } {
  const { script = '/tracker.js', collect = '/api/v1/events' } =
    document.getElementById('root')?.dataset ?? {};
  return { script, collect };
}
