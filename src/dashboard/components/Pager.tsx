import { formatCountLong } from '../state/format.ts';

type Props = {
  pagination: { total: number; limit: number; offset: number };
  onOffset: (offset: number) => void;
};

/** Position in the list above, with buttons to turn pages. Empty when the whole list is shown. */
export function Pager({ pagination: { total, limit, offset }, onOffset }: Props) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  const turnTo = (next: number) => (event: MouseEvent) => {
    onOffset(next);
    const nav = (event.currentTarget as Element).closest('nav'); // of a button inside the nav
    const list = nav?.previousElementSibling ?? nav?.parentElement?.previousElementSibling;
    if (list) list.scrollTop = 0;
    list?.scrollIntoView();
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button
        type="button"
        class="quiet small"
        disabled={offset === 0}
        onClick={turnTo(Math.max(offset - limit, 0))}
      >
        Previous
      </button>
      <span class="number quiet-text" role="status">
        {formatCountLong(Math.min(offset + 1, total))}–{formatCountLong(last)} of {formatCountLong(total)}
      </span>
      <button type="button" class="quiet small" disabled={last >= total} onClick={turnTo(offset + limit)}>
        Next
      </button>
    </nav>
  );
}
