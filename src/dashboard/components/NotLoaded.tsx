import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { toHref } from '../browser/base-path.ts';
import { Problem } from './Problem.tsx';

/** Interval between checks whether the server answers again. */
const LOOK_EVERY_MS = 3_000;

/** Waits for code. After an update the old files are gone; reloading the page fetches the new ones. */
export function NotLoaded({ hasFailed }: { hasFailed: boolean }) {
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(() => {
      fetch(toHref('/api/health')).then(
        () => location.reload(),
        () => {}, // still unreachable
      );
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasFailed]);
  if (!hasFailed) return null;
  return (
    <Problem
      fault={
        new ApiError(
          0,
          'UNREACHABLE',
          'This page could not be loaded. It appears as soon as the server answers.',
        )
      }
      onRetry={() => location.reload()}
    />
  );
}
