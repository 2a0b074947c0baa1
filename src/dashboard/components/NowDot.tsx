/** Somebody is there, or nobody; in words beside it. */
export function NowDot({ isLive }: { isLive: boolean }) {
  return <span class={isLive ? 'now-dot live' : 'now-dot'} />;
}
