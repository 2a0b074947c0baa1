import { later } from '../components/later.tsx';

/** The dialogs of a website's first page. Nobody needs them before its reports are there, and then at once. */

export const AnnotationDialog = later(async () => (await import('./AnnotationDialog.tsx')).AnnotationDialog);
export const DatesDialog = later(async () => (await import('./DatesDialog.tsx')).DatesDialog);
export const DetailsDialog = later(async () => (await import('./DetailsDialog.tsx')).DetailsDialog);
export const FilterDialog = later(async () => (await import('./FilterDialog.tsx')).FilterDialog);
export const HelpDialog = later(async () => (await import('./HelpDialog.tsx')).HelpDialog);

export const SegmentDialog = later(async () => (await import('../segments/SegmentDialog.tsx')).SegmentDialog);

export function preloadDialogs(): void {
  for (const { preload } of [
    AnnotationDialog,
    FilterDialog,
    DatesDialog,
    DetailsDialog,
    HelpDialog,
    SegmentDialog,
  ])
    preload();
}
