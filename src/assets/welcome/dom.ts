/** The element of the page with this id. It is ours, so its absence and another kind are bugs. */
export function element<Kind extends HTMLElement = HTMLElement>(
  id: string,
  kind: new () => Kind = HTMLElement as new () => Kind, // without a kind, any element will do
): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}`);
  return found;
}

/** A part of an element, likewise. */
export function part<Kind extends HTMLElement = HTMLElement>(
  of: HTMLElement,
  selector: string,
  kind: new () => Kind = HTMLElement as new () => Kind, // as above
): Kind {
  const found = of.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`#${of.id} has no ${selector}`);
  return found;
}

/** Text only: what people and events say is never read as HTML. */
export function create(tag: 'li' | 'span' | 'button' | 'time', text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
