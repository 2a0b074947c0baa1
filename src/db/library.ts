/**
 * Called before a program is loaded that needs SQLite's library. From source it is a file of its own, and nothing is to be
 * done; packaging/executable.ts puts a function in the place of this one that begins to unpack it.
 */
export function prepareLibrary(): void {}
