import { lazy } from '../components/lazy.tsx';

export const DetailsDialog = lazy(async () => (await import('./DetailsDialog.tsx')).DetailsDialog);
