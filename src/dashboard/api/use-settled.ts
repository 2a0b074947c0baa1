import { useEffect, useState } from 'preact/hooks';

/** How long somebody who types may pause before they are taken to have finished. */
const PATIENCE_MS = 150;

/** A text as it stood when its typing paused; one that is emptied counts at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : settled;
}
