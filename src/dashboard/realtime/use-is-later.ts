import { useEffect, useState } from 'preact/hooks';

/** Whether something was shown before this rendering: only what arrives later is animated. */
export function useIsLater(isShown: boolean): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => setLater(isShown), [isShown]);
  return isLater;
}
