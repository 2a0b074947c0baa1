import type { ApiError } from '../api/client.ts';

type Props = { fault: ApiError; onRetry?: () => void };

/** Status of what does not exist, where a retry is pointless. */
const NOT_FOUND = 404;

/** A fault, and a button to try again. */
export function Problem({ fault, onRetry }: Props) {
  return (
    <div class="problem" role="alert">
      <p>{fault.message}</p>
      {onRetry && fault.status !== NOT_FOUND && (
        <button type="button" class="quiet small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
