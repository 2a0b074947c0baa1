import type { Filter } from '../../analytics/interface/selection.ts';
import { loadNames } from '../../places/region-codes.ts';
import { readPlace, regionsOf } from '../../vocabulary/places.ts';
import type { Condition } from './condition.ts';
import type { Names } from './names.ts';

/** Texts of values that are made of parts, in both directions. */
export type Form = {
  toText(value: string): string;
  /** Returns the filter on our values for a condition on texts. */
  toFilter(condition: Condition): Filter;
};

/** Region or country and id behind the name of a place. */
const REST = ', [A-Z]{2}(-[A-Z0-9]{1,3})?(, [0-9]+)?$';

/** No name is longer, and patterns have a bound. */
const NAME_LENGTH_MAX = 100;

const toSource = {
  is: (text: string) => `^${literally(text)}`,
  contains: (text: string) => `^.*${literally(text)}.*`,
  starts_with: (text: string) => `^${literally(text)}.*`,
  ends_with: (text: string) => `^.*${literally(text)}`,
  stars: (text: string) => `^${text.split(/\*+/).map(literally).join('.*')}`,
};

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Names of places: `Munich` of `Munich, DE-BY, 2867714`. A regular expression is tried on the whole value. */
export function nameForm(dimension: 'city' | 'region'): Form {
  return {
    toText: (value) => readPlace(value)?.name ?? value,
    toFilter({ operator, values, ignoresCase = false }) {
      if (operator === 'matches') return { op: 'match', dimension, operator, values };
      const flags = operator !== 'is' || ignoresCase ? '(?i)' : '';
      const names = values.filter(({ length }) => length <= NAME_LENGTH_MAX);
      const patterns = names.map((name) => `${flags}${toSource[operator](name)}${REST}`);
      return { op: 'match', dimension, operator: 'matches', values: patterns };
    },
  };
}

/** GeoNames ids of cities, where the database of the server has them. */
export const CITY_IDS: Form = {
  toText: (value) => `${readPlace(value)?.geonamesId ?? value}`,
  toFilter({ operator, values }) {
    const dimension = 'city';
    if (operator !== 'is') return nameForm(dimension).toFilter({ operator, values });
    const isId = (value: string) => /^\d+$/.test(value);
    const texts = values.filter((value) => !isId(value));
    const ids = values.filter(isId).map((id) => `, ${id}`);
    const isText: Filter = { op: 'match', dimension, operator: 'is', values: texts };
    if (ids.length === 0) return isText;
    return { op: 'or', filters: [isText, { op: 'match', dimension, operator: 'ends_with', values: ids }] };
  },
};

let names: Names | undefined;

/** Names by code, loaded on first use. */
export function regionNames(): Names {
  const list = loadNames();
  names ??= new Map(
    Object.keys(list).flatMap((country) =>
      regionsOf(list, country).map(([rest, name]) => [`${country}-${rest}`, [name]] as const),
    ),
  );
  return names;
}
