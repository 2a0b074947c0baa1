import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { PageProps } from '../page-props.ts';
import { Problem } from './Problem.tsx';

/** A page whose code is fetched when it is first opened. */
export function lazyPage(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined;
  return function LazyPage(props: PageProps) {
    const [, setTurn] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (page) => {
          loaded = page;
          setTurn(1);
        },
        () => setFailed(true),
      );
    }, []);
    if (loaded) {
      const Page = loaded;
      return <Page {...props} />;
    }
    // After an update the files of before are gone; loading the page anew brings the new ones.
    if (!hasFailed) return <main class="page" aria-busy="true" />;
    return (
      <main class="page">
        <Problem
          fault={new ApiError(0, 'UNREACHABLE', 'This page could not be loaded.')}
          onRetry={() => location.reload()}
        />
      </main>
    );
  };
}
