import { lazy } from '../components/lazy.tsx';

export const ShareDialog = lazy(async () => (await import('./ShareDialog.tsx')).ShareDialog);
