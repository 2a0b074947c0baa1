import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

type Size = { width: number; height: number };

/** Size of an element in whole pixels, updated on change; undefined before the first measurement. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    // It also reports the first size, after layout; measuring here would force a layout.
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
