import { lazy } from '../components/lazy.tsx';

/** Few websites have imported sums, so their code is not in the first load. */
export const ImportedNote = lazy(async () => (await import('./ImportedNote.tsx')).ImportedNote);
export const ImportedRows = lazy(async () => (await import('./ImportedRows.tsx')).ImportedRows);
