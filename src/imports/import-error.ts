/** A fault of a file or an option, in a sentence for the person who imports. What the import has added is removed. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}
