import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CloseIcon } from './CloseIcon.tsx';

type Props = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /**
   * `wide` has room for columns; `tall` is as wide, with a fixed height; `dates` hangs below the button
   * that opens it.
   */
  size?: 'narrow' | 'wide' | 'tall' | 'dates';
  /** Position of a hanging dialog, in pixels from the top and the end of the window. */
  at?: { top: number; end: number };
};

/** Fields that a user of a dialog types into. Without one, the browser focuses the close button. */
const FIELDS = 'input, textarea';
/** Element that a dialog marks as the first to focus. */
const FIRST = '[data-first]';

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus inside, and Escape closes it;
 * the focus then returns to where it was.
 */
export function Dialog({ title, onClose, children, size = 'narrow', at }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // In the same task as the page changes, so that keys pressed right after it reach the right element.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    (element?.querySelector<HTMLElement>(FIRST) ?? element?.querySelector<HTMLElement>(FIELDS))?.focus();
    return () => {
      element?.close();
      if (opener !== document.body) (opener as HTMLElement | null)?.focus(); // an element that had the focus can receive it
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      style={at && { '--top': `${Math.round(at.top)}px`, '--end': `${Math.round(at.end)}px` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault(); // the caller removes it
        onClose();
      }}
      onClose={() => {
        if (dialog.current) onClose(); // a browser may close it without asking; not on removal
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose(); // outside the dialog
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
