/** Time after which a press is a long one, as on Android and iOS. */
const LONG_MS = 500;
/** Pixels that a finger moves without meaning to scroll. */
const STILL_PX = 10;

/** Element that is pressed, until its click is over. */
let pressed: { x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean } | undefined;

/** Handlers that call a function when a finger stays on an element. The click and the browser's own menu are left out. */
export function onLongPress(act: (element: HTMLElement) => void) {
  const end = () => clearTimeout(pressed?.timer);
  return {
    onPointerDown({ pointerType, clientX, clientY, currentTarget }: PointerEvent) {
      end();
      pressed = undefined;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        if (pressed) pressed.isLong = true;
        act(currentTarget as HTMLElement); // attached to HTML elements only
      }, LONG_MS);
      pressed = { x: clientX, y: clientY, timer, isLong: false };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (pressed && Math.hypot(clientX - pressed.x, clientY - pressed.y) > STILL_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: Event) {
      if (pressed) event.preventDefault();
    },
    // Without this the release would click, and focus the element.
    onTouchEnd(event: Event) {
      if (pressed?.isLong) event.preventDefault();
    },
  };
}
