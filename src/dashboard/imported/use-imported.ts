import { useState } from 'preact/hooks';
import type { ImportedStats } from '../../contract/metrics/imported.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { storage } from '../browser/storage.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';

const KEY = 'pagemeter.imported';
const HIDDEN = 'hidden';
const ROWS = 10;

export type Imported = {
  stats: ImportedStats | undefined;
  isShown: boolean;
  toggle: () => void;
};

/**
 * Imported sums next to the figures of a dashboard, with a switch that this browser keeps; undefined for a website without
 * any.
 */
export function useImported(
  place: Place,
  view: ViewState,
  { hasSums, dimensions }: { hasSums: boolean; dimensions: readonly string[] },
): Imported | undefined {
  const [isShown, setShown] = useState(() => storage.getItem(KEY) !== HIDDEN);
  const question = { ...toQuestion(view), interval: view.interval };
  const { answer } = useReport<ImportedStats>(
    place,
    '/stats/imported',
    hasSums && isShown
      ? { ...question, breakdowns: JSON.stringify([...new Set(dimensions)]), limit: ROWS }
      : undefined,
  );
  if (!hasSums) return undefined;
  return {
    stats: isShown ? answer : undefined,
    isShown,
    toggle() {
      storage.setItem(KEY, isShown ? HIDDEN : 'shown');
      setShown(!isShown);
    },
  };
}
