import { useCallback, useMemo } from 'preact/hooks';
import { currentAddress, navigate } from '../browser/router.ts';
import { type PageCodec, readViewState, toSearch, type ViewState } from './view-state.ts';

/** Changes of the shared state; a key that is undefined is removed. */
export type ViewChanges = { [Key in keyof ViewState]?: ViewState[Key] | undefined };

/** State that the address contains. Each change is a step that "back" undoes. */
export function useView<Own = undefined>(search: string, codec?: PageCodec<Own>) {
  const view = useMemo(() => readViewState(search), [search]);
  // Without a codec, the page's own state is undefined.
  const own = useMemo(() => codec?.read(new URLSearchParams(search)) as Own, [search]);
  const change = useCallback(
    (changes: ViewChanges, nextOwn?: Own) => navigate(addressOf(changes, codec, nextOwn)),
    [],
  );
  return { view, own, change };
}

/** The address that shows the present page with some changes. @param own without it, the page's own state stays */
export function addressOf<Own>(changes: ViewChanges, codec?: PageCodec<Own>, own?: Own): string {
  const [path = '/', query = ''] = currentAddress().split('?');
  const next = withoutUndefined({ ...readViewState(query), ...changes });
  return (
    path +
    toSearch(next, (parameters) => codec?.write(own ?? codec.read(new URLSearchParams(query)), parameters))
  );
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
