import { useEffect, useState } from 'preact/hooks';

/** Pause after which typing counts as finished. */
const PATIENCE_MS = 150;

/** The text when typing last paused; an empty one counts at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : settled;
}
