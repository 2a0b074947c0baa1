import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const RETRY_MS = 3_000;
/** Any of these events means that a user is present. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/**
 * A component whose code is fetched when it is first drawn, or when `preload` is called. A fetch that fails is repeated
 * while the component is drawn.
 *
 * @param Waiting is drawn until then
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType<Props & { hasFailed: boolean }>,
) {
  let loaded: ComponentType<Props> | undefined;
  const fetchOnce = async () => {
    loaded ??= await load();
  };

  function Lazy(props: Props) {
    const [, setTurn] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    const Part = loaded;
    useEffect(() => {
      if (Part) return; // not `loaded`: it may have arrived since this was drawn
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
    return Waiting ? <Waiting {...props} hasFailed={hasFailed} /> : null;
  }

  return Object.assign(Lazy, { preload: () => void fetchOnce().catch(() => {}) });
}

/** Fetches lazy components at the first sign of a user. */
export function usePreloaded(components: readonly { preload: () => void }[]): void {
  useEffect(() => {
    const signs = new AbortController();
    const preload = () => {
      signs.abort();
      for (const component of components) component.preload();
    };
    for (const sign of SIGNS)
      addEventListener(sign, preload, { passive: true, capture: true, signal: signs.signal });
    return () => signs.abort();
  }, []);
}
