/** A dot that shows whether a visitor is present; a text next to it says the same. */
export function NowDot({ isLive }: { isLive: boolean }) {
  return <span class={isLive ? 'now-dot live' : 'now-dot'} />;
}
