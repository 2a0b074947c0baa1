import { lazy } from '../components/lazy.tsx';

export const FilterDialog = lazy(async () => (await import('./FilterDialog.tsx')).FilterDialog);
export const SegmentDialog = lazy(async () => (await import('./SegmentDialog.tsx')).SegmentDialog);
