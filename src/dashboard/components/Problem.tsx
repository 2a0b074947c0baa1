import type { ApiError } from '../api/client.ts';

type Props = { fault: ApiError; onRetry?: () => void };

/** What is not there will not be there the next time. */
const NOT_FOUND = 404;

/** What went wrong and what to do about it. */
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
