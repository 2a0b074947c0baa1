import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { PropertyKeys } from '../../contract/metrics/pages.ts';
import type { Breakdown } from '../../contract/metrics/stats.ts';
import type { Dimension, FilterOperator } from '../../vocabulary/analytics.ts';
import { DIMENSION_NAMES } from '../../vocabulary/dimensions.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { useSettled } from '../api/use-settled.ts';
import type { Option } from '../components/Combobox.tsx';
import { nameOfDimension, WEBSITE, WITH_ABSENT } from '../state/dimension-names.ts';
import { formatCount } from '../state/format.ts';
import { useIsShown } from '../state/own-access.ts';
import { NAMED, nameOfValue } from '../state/value-names.ts';
import { FIRST_SEEN, toQuestion, type ViewState } from '../state/view-state.ts';
import type { MaySee } from '../state/visibility.ts';

export const PROPERTY = 'property:';
const GOAL = 'goal';
/** Whether values of a dimension are chosen from a list, because a typed text is not a value. */
export const isChosen = (dimension: string) =>
  NAMED.includes(dimension) || dimension === GOAL || dimension === WEBSITE;
const NAMED_MAX = 300;
const ROWS_OF_ONE = 30;
const ROWS_OF_EACH = 4;
const KEYS_MAX = 100;

/** A dimension to choose, or one of its values; '' stands for none. Without an operator the value itself is meant. */
export type FilterOption = Option & { dimension: string; value?: string; operator?: FilterOperator };
type Offered = { options: FilterOption[]; isBusy: boolean };

type OptionsRequest = { place: Place; view: ViewState; text: string };

/** Dimensions and values whose names contain a text. */
export function useOptionsOfAll({ place, view, text, maySee }: OptionsRequest & { maySee: MaySee }): Offered {
  const settled = useSettled(text.trim());
  const hasProperties = useIsShown('properties') && maySee(PROPERTY);
  const { filters: _, ...range } = toQuestion(view);
  const dimensions = Object.keys(DIMENSION_NAMES).filter((name) => maySee(name) && name !== 'eventType');
  const shared = { ...range, interval: 'month' as const };
  const values = useReport<Dashboard>(
    place,
    '/stats/dashboard',
    settled === ''
      ? undefined
      : {
          ...shared,
          breakdowns: dimensions.filter((name) => !NAMED.includes(name)).join(','),
          search: settled,
          limit: ROWS_OF_EACH,
        },
  );
  const named = useReport<Dashboard>(
    place,
    '/stats/dashboard',
    settled === '' ? undefined : { ...shared, breakdowns: NAMED.join(','), limit: NAMED_MAX },
  );
  // All goals at once: they are offered only if there are any. A set has websites instead.
  const own = place.isSet ? WEBSITE : GOAL;
  const owned = useReport<Breakdown>(place, '/stats/breakdown', {
    ...range,
    dimension: own,
    limit: NAMED_MAX,
  });
  const toOptions = ({ dimension, rows }: Pick<Breakdown, 'dimension' | 'rows'>) =>
    rows.map((row) => ({ ...toOption(dimension as Dimension, row), kind: nameOfDimension(dimension) }));
  const isOfThis = (name: string | null) => contains(name ?? '', text);
  const found = [
    ...(values.answer?.breakdowns ?? []).flatMap(toOptions),
    ...(named.answer?.breakdowns ?? []).flatMap(toOptions),
    ...(owned.answer ? toOptions(owned.answer) : []),
  ]
    .filter(({ label }) => isOfThis(label))
    .toSorted((a, b) => b.visitors - a.visitors);
  const hasOwn = Boolean(owned.answer?.rows.length);
  const ways = [...dimensions, ...(hasOwn ? [own] : []), FIRST_SEEN, ...(hasProperties ? [PROPERTY] : [])]
    .map((dimension) => ({
      key: dimension,
      dimension,
      label: dimension === PROPERTY ? 'Property of an event…' : `${nameOfDimension(dimension)}…`,
    }))
    .filter(({ label }) => isOfThis(label));
  if (text.trim() === '') return { options: ways, isBusy: false };
  return {
    options: [...found, ...ways],
    isBusy: settled !== text.trim() || [values, named, owned].some(({ isLoading }) => isLoading),
  };
}

/** Values of one dimension that contain a text. */
export function useOptionsOf({
  place,
  view,
  text,
  dimension,
}: OptionsRequest & { dimension: string }): Offered {
  const settled = useSettled(text.trim());
  const isNamed = NAMED.includes(dimension);
  const { filters: _, ...range } = toQuestion(view);
  const question = {
    ...range,
    dimension,
    withAbsent: WITH_ABSENT.test(dimension) ? 'true' : undefined,
    search: isNamed ? undefined : settled || undefined,
    limit: isNamed ? NAMED_MAX : ROWS_OF_ONE,
  };
  const { answer, isLoading } = useReport<Breakdown>(place, '/stats/breakdown', question);
  const rows = answer?.dimension === dimension ? answer.rows : [];
  return {
    options: rows
      .map((row) => toOption(dimension as Dimension, row)) // the requested dimension
      .filter(({ label }) => contains(label, text)),
    isBusy: isLoading || (!isNamed && settled !== text.trim()),
  };
}

/** Properties that events carry. */
export function usePropertyKeys({ place, view, text }: OptionsRequest): Offered {
  const isShown = useIsShown('properties');
  const { filters: _, ...range } = toQuestion(view);
  const { answer, isLoading } = useReport<PropertyKeys>(
    place,
    '/stats/properties',
    isShown
      ? {
          ...range,
          limit: KEYS_MAX,
        }
      : undefined,
  );
  const options = (answer?.properties ?? [])
    .filter(({ key }) => contains(key, text))
    .map(({ key }) => ({ key, label: key, dimension: PROPERTY + key }));
  return { options, isBusy: isLoading };
}

function toOption(dimension: Dimension, { value, visitors }: { value: string | null; visitors: number }) {
  return {
    key: `${dimension} ${value}`,
    dimension,
    value: value ?? '',
    visitors,
    label: nameOfValue(dimension, value),
    count: formatCount(visitors),
  };
}

function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}
