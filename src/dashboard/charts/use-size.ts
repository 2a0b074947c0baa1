import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

type Size = { width: number; height: number };

/** The size of an element in whole pixels, and again when it changes; nothing before it was measured. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    // It tells the first size as well, once the page is laid out: asking at once would lay it out on the spot.
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
