import { useRef } from 'preact/hooks';
import type { Dimension, FilterOperator } from '../../analytics/vocabulary.ts';
import { nameOfValue } from '../value-names.ts';
import { FIRST_SEEN, type Filter } from '../view-state.ts';
import { nameOfDimension } from './dimension-names.ts';
import { tellFirstSeen } from './FirstSeen.tsx';

type Props = {
  filters: Filter[];
  onAdd: () => void;
  onEdit: (index: number) => void;
  onChange: (filters: Filter[]) => void;
};

export const OPERATOR_NAMES: Record<FilterOperator, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  contains_not: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  like: 'is like',
  like_not: 'is not like',
};

/** What the figures are limited to: a chip each, to be edited or taken away. */
export function FilterBar({ filters, onAdd, onEdit, onChange }: Props) {
  const add = useRef<HTMLButtonElement>(null);

  function remove(index: number): void {
    // The next chip takes the place of this one, and so does its button; behind the last one there is none.
    if (index === filters.length - 1) add.current?.focus();
    onChange(filters.filter((_, other) => other !== index));
  }

  return (
    <div class="filters">
      <button type="button" class="quiet" ref={add} onClick={onAdd} aria-keyshortcuts="/">
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M2 4h12M4 8h8M6.5 12h3" />
        </svg>
        Filter
      </button>
      {filters.map((filter, index) => (
        <span class="chip" key={index}>
          <button type="button" class="chip-text" onClick={() => onEdit(index)} title="Edit">
            {nameOfDimension(filter.dimension)}{' '}
            {filter.dimension !== FIRST_SEEN && <em>{OPERATOR_NAMES[filter.operator]}</em>}{' '}
            <bdi>{valuesOf(filter)}</bdi>
          </button>
          <button
            type="button"
            class="chip-remove"
            aria-label={`Remove the filter on ${nameOfDimension(filter.dimension)}`}
            onClick={() => remove(index)}
          >
            <svg viewBox="0 0 16 16" width="11" height="11" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" />
            </svg>
          </button>
        </span>
      ))}
      {filters.length > 1 && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            add.current?.focus();
            onChange([]);
          }}
        >
          Clear all
        </button>
      )}
    </div>
  );
}

function valuesOf({ dimension, values }: Filter): string {
  if (dimension === FIRST_SEEN) return tellFirstSeen(values);
  // What a filter is on need not be a dimension that has names for values.
  return values.map((value) => nameOfValue(dimension as Dimension, value === '' ? null : value)).join(' or ');
}
