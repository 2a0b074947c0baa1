import { useEffect } from 'preact/hooks';

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Pagemeter`;
  }, [title]);
}
