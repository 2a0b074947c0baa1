import { lazy } from '../components/lazy.tsx';

export const AnnotationDialog = lazy(async () => (await import('./AnnotationDialog.tsx')).AnnotationDialog);
