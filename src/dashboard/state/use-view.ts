import { useCallback, useMemo } from 'preact/hooks';
import { currentAddress, navigate } from '../browser/router.ts';
import { readViewState, toSearch, type ViewState } from './view-state.ts';

/** What the address says is to be shown, and how to change it. Each change is a step that "back" undoes. */
export function useView(search: string): { view: ViewState; change: (changes: ViewChanges) => void } {
  const view = useMemo(() => readViewState(search), [search]);
  const change = useCallback((changes: ViewChanges) => navigate(addressOf(changes)), []);
  return { view, change };
}

/** What is undefined is taken away. */
export type ViewChanges = { [Key in keyof ViewState]?: ViewState[Key] | undefined };

/** The address that shows the present page with some things changed. */
export function addressOf(changes: ViewChanges): string {
  const [path = '/', query = ''] = currentAddress().split('?');
  const next = { ...readViewState(query), ...changes };
  return path + toSearch(withoutUndefined(next));
}

/** A period and a range of dates exclude each other. */
export const withPeriod = (period: ViewState['period']): ViewChanges => ({
  period,
  from: undefined,
  to: undefined,
  interval: undefined,
});

export const withRange = (from: string, to: string): ViewChanges => ({ from, to, interval: undefined });

function withoutUndefined(state: ViewChanges): ViewState {
  const entries = Object.entries(state).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ViewState; // what may be undefined may be absent
}
