import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

type Props = {
  /** Content of the button. */
  label: ComponentChildren;
  /** Accessible name of the button, where its content does not say it. */
  name?: string;
  /** Buttons and links; choosing one closes the menu. */
  children: ComponentChildren;
  align?: 'start' | 'end';
  /** Whether the button is only an icon. */
  isIcon?: boolean;
  /** Outside the tab order: another element opens the menu by clicking the button. */
  isSkipped?: boolean;
  class?: string;
};

/** Distance between a list and the edge of the window. */
const MARGIN_PX = 8;

/**
 * Moves a list sideways, and above its button when there is more room, so that neither the window nor its dialog cuts it
 * off. What is higher than the room scrolls.
 */
function keepInside(list: HTMLElement, button: HTMLElement): void {
  list.classList.remove('above');
  list.style.translate = '';
  list.style.removeProperty('--room');
  const { left, right, top, height } = list.getBoundingClientRect();
  const frame = list.closest('dialog')?.getBoundingClientRect();
  const edge = {
    left: frame?.left ?? 0,
    right: frame?.right ?? document.documentElement.clientWidth,
    // What scrolls stops below the bar at the top of the page.
    top: frame?.top ?? document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0,
    bottom: Math.min(document.documentElement.clientHeight, frame?.bottom ?? Number.POSITIVE_INFINITY),
  };
  const before = Math.max(0, edge.left + MARGIN_PX - left);
  const after = Math.max(0, right - (edge.right - MARGIN_PX));
  if (before || after) list.style.translate = `${Math.round(before || -after)}px`;
  const gap = top - button.getBoundingClientRect().bottom;
  const below = edge.bottom - MARGIN_PX - top;
  const above = button.getBoundingClientRect().top - gap - edge.top - MARGIN_PX;
  const isAbove = height > below && above > below;
  list.classList.toggle('above', isAbove);
  if (height > below) list.style.setProperty('--room', `${Math.round(isAbove ? above : below)}px`);
}

/**
 * A button that opens a list of links and buttons. Escape and a click elsewhere close it, and the focus returns to the
 * button; arrow keys move through the entries.
 */
export function Menu({
  label,
  name,
  children,
  align = 'start',
  isIcon = false,
  isSkipped = false,
  class: className = '',
}: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  // After every drawing: the button may have moved.
  useLayoutEffect(() => {
    const place = () => list.current && button.current && keepInside(list.current, button.current);
    place();
    if (!isOpen) return;
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  });

  useLayoutEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    // Wherever the focus is: not every browser focuses a clicked button. No other listener receives the key.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault(); // keeps the surrounding dialog open
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeByKey, { capture: true });
    return () => {
      document.removeEventListener('keydown', closeByKey, { capture: true });
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);

  function press(event: KeyboardEvent): void {
    if (!isOpen || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    event.stopPropagation();
    const entries = [
      ...(root.current?.querySelectorAll<HTMLElement>('.menu-list :is(a, button, input)') ?? []),
    ];
    const index = entries.findIndex((entry) => entry.matches(':focus'));
    const step = event.key === 'ArrowDown' ? 1 : -1;
    // From the button, ArrowUp selects the last entry.
    const next = index < 0 && step < 0 ? entries.length - 1 : index + step;
    entries[(next + entries.length) % entries.length]?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the keys of the buttons inside
    <div class={`menu ${className}`} ref={root} onKeyDown={press}>
      <button
        type="button"
        class={isIcon ? 'icon-button menu-button' : 'quiet menu-button'}
        tabIndex={isSkipped ? -1 : 0}
        ref={button}
        aria-expanded={isOpen}
        aria-label={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        {!isIcon && (
          <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
            <path d="M3 6l5 5 5-5" />
          </svg>
        )}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y: any choice closes the menu
        <div
          class={`menu-list ${align}`}
          ref={list}
          onClick={({ target }) => {
            if (!(target instanceof Element && target.closest('a, button'))) return;
            setOpen(false);
            button.current?.focus(); // the entry is about to be removed
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
