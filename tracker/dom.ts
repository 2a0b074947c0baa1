/** Too young for the compiler's list. */
type Page = Document & { prerendering?: boolean };

/** A property of the document itself: an element takes its place by its name, such as `<img name="querySelector">`. */
export const ofDocument = <Name extends keyof Page>(name: Name): Page[Name] =>
  Reflect.get(Document.prototype, name, document);

export const findInDocument = (selector: string) => ofDocument('querySelector').call(document, selector);

/** Matches an element by the prototype's method: a field of a form takes the place of the form's own. */
export const matches = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector);

export const attribute = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);
