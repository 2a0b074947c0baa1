import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const RETRY_MS = 3_000;

/**
 * A part of a page whose code comes later than the page: when it is first shown, or when `preload` is called. Where it cannot
 * be fetched, it is tried again as long as it is to be shown.
 *
 * @param Failed is shown meanwhile
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failed?: ComponentType,
) {
  let loaded: ComponentType<Props> | undefined;
  const fetchOnce = async () => {
    loaded ??= await load();
  };

  function Later(props: Props) {
    const [, setTurn] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    const Part = loaded;
    useEffect(() => {
      if (Part) return; // not `loaded`: it may have come since this was drawn
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = () =>
        fetchOnce().then(
          () => setTurn(1),
          () => {
            setFailed(true);
            timer = setTimeout(attempt, RETRY_MS);
          },
        );
      void attempt();
      return () => clearTimeout(timer);
    }, []);
    if (Part) return <Part {...props} />;
    return hasFailed && Failed ? <Failed /> : null;
  }

  return Object.assign(Later, { preload: () => void fetchOnce().catch(() => {}) });
}
