import { formatCountLong } from '../format.ts';

type Props = {
  pagination: { total: number; limit: number; offset: number };
  onOffset: (offset: number) => void;
};

/** Where one is in a list, and the way on. Nothing when all of it is shown. */
export function Pager({ pagination: { total, limit, offset }, onOffset }: Props) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button
        type="button"
        class="quiet small"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(offset - limit, 0))}
      >
        Back
      </button>
      <span class="number quiet-text" role="status">
        {formatCountLong(Math.min(offset + 1, total))}–{formatCountLong(last)} of {formatCountLong(total)}
      </span>
      <button
        type="button"
        class="quiet small"
        disabled={last >= total}
        onClick={() => onOffset(offset + limit)}
      >
        More
      </button>
    </nav>
  );
}
