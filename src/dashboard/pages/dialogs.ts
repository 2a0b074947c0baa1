import { useEffect } from 'preact/hooks';
import { later } from '../components/lazy.tsx';

/** The dialogs of a website's first page: no part of its first load, and there when somebody wants one. */

export const AnnotationDialog = later(
  async () => (await import('../overview/AnnotationDialog.tsx')).AnnotationDialog,
);
export const DatesDialog = later(async () => (await import('../period/DatesDialog.tsx')).DatesDialog);
export const DetailsDialog = later(async () => (await import('../panels/DetailsDialog.tsx')).DetailsDialog);
export const FilterDialog = later(async () => (await import('../filters/FilterDialog.tsx')).FilterDialog);
export const HelpDialog = later(async () => (await import('./HelpDialog.tsx')).HelpDialog);

export const SegmentDialog = later(async () => (await import('../filters/SegmentDialog.tsx')).SegmentDialog);

const DIALOGS = [AnnotationDialog, FilterDialog, DatesDialog, DetailsDialog, HelpDialog, SegmentDialog];
/** What somebody does who is there, before he opens one. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Fetches the dialogs at the first sign of a user. */
export function usePreloadedDialogs(): void {
  useEffect(() => {
    const signs = new AbortController();
    const preload = () => {
      signs.abort();
      for (const dialog of DIALOGS) dialog.preload();
    };
    for (const sign of SIGNS)
      addEventListener(sign, preload, { passive: true, capture: true, signal: signs.signal });
    return () => signs.abort();
  }, []);
}
