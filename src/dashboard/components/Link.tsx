import type { ComponentChildren } from 'preact';
import { toHref } from '../place.ts';
import { isPlainClick, navigate } from '../router.ts';

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

/** A link that changes the address without loading the page anew. */
export function Link({ to, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={toHref(to)}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
