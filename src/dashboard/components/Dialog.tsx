import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CloseIcon } from './CloseIcon.tsx';

type Props = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /**
   * `wide` for what has columns; `tall` is as wide, and as high however much there is in it; `dates` hangs below the button
   * that opens it.
   */
  size?: 'narrow' | 'wide' | 'tall' | 'dates';
  /** Where one hangs, in pixels from the top and from the end of the window. */
  at?: { top: number; end: number };
};

/** What somebody who opens a dialog wants to type into. Without one the browser chooses: the button that closes it. */
const FIELDS = 'input, textarea';
/** What it names itself comes before. */
const FIRST = '[data-first]';

/**
 * A modal dialog, there as long as it is rendered. The browser keeps the focus inside, and Escape closes it;
 * then the focus is where it was before.
 */
export function Dialog({ title, onClose, children, size = 'narrow', at }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // In the same task as the page changes: what is typed right after it must find the focus where it belongs.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    (element?.querySelector<HTMLElement>(FIRST) ?? element?.querySelector<HTMLElement>(FIELDS))?.focus();
    return () => {
      element?.close();
      if (opener !== document.body) (opener as HTMLElement | null)?.focus(); // what had the focus can take it
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      style={at && { '--top': `${Math.round(at.top)}px`, '--end': `${Math.round(at.end)}px` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // the caller takes it away
        onClose();
      }}
      onClose={() => {
        if (dialog.current) onClose(); // a browser may close it without asking; not when it is taken away
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose(); // beside it
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <CloseIcon size={16} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
