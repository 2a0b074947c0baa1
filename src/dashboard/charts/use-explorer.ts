import { useRef, useState } from 'preact/hooks';
import { nearestIndex } from './positions.ts';

/** The focused point, and the other end of a selection in progress. */
type Exploration = { index: number | undefined; anchor: number | undefined };

type Explored = {
  positions: readonly number[];
  /** Point where the keyboard begins. */
  initial: number;
  /** Two different points, in any order. */
  onSelect: (one: number, other: number) => void;
};

const NOTHING: Exploration = { index: undefined, anchor: undefined };
/** Pixels that a hand moves during a click. */
const DRAG_MIN = 5;
/** PageUp and PageDown move by this part of all points. */
const PAGE = 0.1;

/**
 * Focuses points and selects a range of them, by pointer (hover; drag, with a mouse or pen) and by keyboard
 * (arrows, Home, End; with Shift to select, then Enter). A finger focuses and scrolls; it does not select.
 */
export function useExplorer({ positions, initial, onSelect }: Explored) {
  const [state, setState] = useState(NOTHING);
  const drag = useRef<{ x: number; index: number } | undefined>(undefined);
  const last = positions.length - 1;
  const clear = () => {
    drag.current = undefined;
    setState(NOTHING);
  };
  const finish = ({ index, anchor }: Exploration) => {
    if (index === undefined) return;
    if (anchor !== undefined && anchor !== index) onSelect(anchor, index);
    setState({ index, anchor: undefined });
  };

  const handlers = {
    onPointerDown(event: PointerEvent) {
      const { x, index } = locate(event, positions);
      if (index === undefined || event.button !== 0) return;
      setState({ index, anchor: undefined });
      if (event.pointerType === 'touch') return;
      drag.current = { x, index };
      surfaceOf(event).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const { x, index } = locate(event, positions);
      const { current } = drag;
      const isDragged = current && (state.anchor !== undefined || Math.abs(x - current.x) > DRAG_MIN);
      setState({ index, anchor: isDragged ? current.index : current ? undefined : state.anchor });
    },
    onPointerUp() {
      if (!drag.current) return;
      drag.current = undefined;
      finish(state);
    },
    onPointerLeave(event: PointerEvent) {
      if (!drag.current && event.pointerType !== 'touch') clear();
    },
    onPointerCancel: clear,
    onBlur: clear,
    onFocus: () => setState((known) => (known.index === undefined ? { ...known, index: initial } : known)),
    onKeyDown(event: KeyboardEvent) {
      const { index = initial, anchor } = state;
      if (event.key === 'Escape' && (anchor !== undefined || state.index !== undefined)) {
        drag.current = undefined;
        setState(anchor === undefined ? NOTHING : { index, anchor: undefined });
      } else if (event.key === 'Enter') finish({ index, anchor });
      else {
        const next = moveByKey(event, index, last);
        if (next === undefined) return;
        setState({ index: next, anchor: event.shiftKey ? (anchor ?? index) : undefined });
      }
      event.preventDefault();
      event.stopPropagation();
    },
  };
  // A shorter list of points may arrive while one beyond its end has the focus.
  const isInside = state.index !== undefined && state.index <= last && (state.anchor ?? 0) <= last;
  return { ...(isInside ? state : NOTHING), handlers };
}

/** Point that a key moves to; undefined for other keys. */
function moveByKey(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  index: number,
  last: number,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  const page = Math.max(1, Math.round(last * PAGE));
  const moves: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - page,
    PageUp: index + page,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}

function locate(event: PointerEvent, positions: readonly number[]) {
  const x = event.clientX - surfaceOf(event).getBoundingClientRect().left;
  return { x, index: nearestIndex(positions, x) };
}

// The handlers are only attached to HTML elements.
const surfaceOf = (event: Event) => event.currentTarget as HTMLElement;
