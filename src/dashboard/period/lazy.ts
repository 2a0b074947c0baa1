import { lazy } from '../components/lazy.tsx';

export const DatesDialog = lazy(async () => (await import('./DatesDialog.tsx')).DatesDialog);
