/**
 * Storage of this browser. A page that is embedded elsewhere may have none: reading then finds nothing, and writing does
 * nothing.
 */
export const storage = {
  getItem: (key: string) => attempt(() => localStorage.getItem(key)),
  setItem: (key: string, value: string) => attempt(() => localStorage.setItem(key, value)),
  removeItem: (key: string) => attempt(() => localStorage.removeItem(key)),
};

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null; // blocked, or full
  }
}
