import type { ComponentChildren } from 'preact';
import { toHref } from '../browser/base-path.ts';
import { navigate } from '../browser/router.ts';

type Props = {
  /** An address of this application. */
  to: string;
  class?: string;
  'aria-current'?: 'page' | 'true' | undefined;
  'aria-label'?: string;
  title?: string;
  style?: Record<string, string>;
  children: ComponentChildren;
};

/** A link that changes the address without reloading the page. */
export function Link({ to, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={toHref(to)}
      onClick={(event) => {
        const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
        if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return; // meant for another tab, or to save it
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
