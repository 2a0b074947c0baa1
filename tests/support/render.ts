import { Window as HappyWindow } from 'happy-dom';
import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';

/** Globals that components use outside of the document that they are in. */
const GLOBALS = ['localStorage', 'document', 'Node', 'Element', 'FormData', 'location', 'history'] as const;

/** Tells a size once, as nothing changes; happy-dom's never does. */
class SizeTeller {
  readonly #tell: () => void;
  constructor(tell: () => void) {
    this.#tell = tell;
  }
  observe(): void {
    this.#tell();
  }
  disconnect(): void {}
}

export type Mounted = {
  document: Document;
  container: HTMLElement;
  /** Draws something else in the same place. */
  update(child: ComponentChild): void;
  find<E extends Element = HTMLElement>(selector: string): E;
  findAll<E extends Element = HTMLElement>(selector: string): E[];
  /** Sends an event that bubbles; what it causes is drawn when this returns. */
  fire(target: Element, type: string, values?: Record<string, unknown>): Event;
  press(target: Element, key: string, values?: Record<string, unknown>): Event;
  [Symbol.dispose](): void;
};

/**
 * A component in a page of happy-dom, whose elements all have the given size. Goes away at the end of the block:
 * `using page = mount(<Chart … />)`.
 */
export function mount(child: ComponentChild, size = { width: 640, height: 300 }): Mounted {
  const happy = new HappyWindow({ url: 'https://stats.example/' });
  // happy-dom's own types are not the browser's, which components are written for.
  const window = happy as unknown as Window & typeof globalThis;
  const { document } = window;
  const { prototype } = window.HTMLElement;
  // Every window of happy-dom has the same prototypes.
  const restore = [
    replace(prototype, 'clientWidth', { get: () => size.width }),
    replace(prototype, 'clientHeight', { get: () => size.height }),
    replace(prototype, 'setPointerCapture', { value: () => {} }),
    replace(globalThis, 'ResizeObserver', { value: SizeTeller, writable: true }),
    ...GLOBALS.map((name) => replace(globalThis, name, { value: window[name], writable: true })),
  ];
  const container = document.createElement('div');
  document.body.append(container);
  const draw = (drawn: ComponentChild) => {
    act(() => render(drawn, container));
  };
  const fire: Mounted['fire'] = (target, type, values = {}) => {
    const event = Object.assign(new window.Event(type, { bubbles: true, cancelable: true }), values);
    act(() => {
      target.dispatchEvent(event);
    });
    return event;
  };
  draw(child);
  return {
    document,
    container,
    update: draw,
    find<E extends Element>(selector: string): E {
      const found = container.querySelector<E>(selector);
      if (!found) throw new Error(`There is no ${selector} in ${container.innerHTML}`);
      return found;
    },
    findAll: <E extends Element>(selector: string) => [...container.querySelectorAll<E>(selector)],
    fire,
    press: (target, key, values = {}) => fire(target, 'keydown', { key, ...values }),
    [Symbol.dispose]() {
      act(() => render(null, container));
      for (const back of restore) back();
      happy.happyDOM.close();
    },
  };
}

function replace(target: object, name: string, descriptor: PropertyDescriptor): () => void {
  const known = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { ...descriptor, configurable: true });
  return () => {
    if (known) Object.defineProperty(target, name, known);
    else Reflect.deleteProperty(target, name);
  };
}
