import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Place } from '../api/place.ts';
import { useGoals } from '../api/use-goals.ts';
import { SEGMENT, useSegments } from '../api/use-segments.ts';
import { CloseIcon } from '../components/CloseIcon.tsx';
import { describeValues, OPERATOR_NAMES } from '../state/describe-filter.ts';
import { nameOfDimension } from '../state/dimension-names.ts';
import { useHasRole } from '../state/own-access.ts';
import { FIRST_SEEN, type Filter, splitScope } from '../state/view-state.ts';
import { SegmentDialog } from './lazy.ts';
import { SegmentMenu } from './SegmentMenu.tsx';

type Props = {
  /** Website whose segments are offered; none by default. */
  place?: Place;
  filters: Filter[];
  onAdd: () => void;
  onEdit: (index: number) => void;
  onChange: (filters: Filter[]) => void;
};

/** The filters as chips to edit or remove. */
export function FilterBar({ place, filters, onAdd, onEdit, onChange }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const segments = useSegments(
    place,
    filters.some(({ dimension }) => dimension === SEGMENT),
  );
  const goals = useGoals(
    place,
    filters.some(({ dimension }) => splitScope(dimension).own === 'goal'),
  ).answer?.goals;
  const mayEdit = useHasRole('editor') && !place?.isPublic;
  const [opened, setOpened] = useState<{ id?: string | undefined }>();
  /** Finds a segment by id or, as in some addresses, by name. */
  const find = (value = '') =>
    segments?.find(({ id }) => id === value) ?? segments?.find(({ name }) => name === value);
  const nameOf = (value: string) => find(value)?.name ?? (segments ? value : '…');

  function remove(index: number): void {
    // The next chip and its button move into this place; after the last one there is none.
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
      {place && (
        <SegmentMenu place={place} filters={filters} onChange={onChange} onOpen={(id) => setOpened({ id })} />
      )}
      {filters.map((filter, index) => (
        <FilterChip
          key={index}
          filter={filter}
          values={
            filter.dimension === SEGMENT
              ? filter.values.map(nameOf).join(' or ')
              : describeValues(filter, goals)
          }
          onEdit={
            filter.dimension !== SEGMENT
              ? () => onEdit(index)
              : place && mayEdit && (() => setOpened({ id: find(filter.values[0])?.id ?? filter.values[0] }))
          }
          onRemove={() => remove(index)}
        />
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
      {place && opened && (
        <SegmentDialog
          place={place}
          filters={filters}
          id={opened.id}
          onChange={onChange}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

type ChipProps = {
  filter: Filter;
  /** Description of the values. */
  values: string;
  onEdit: (() => void) | false | undefined;
  onRemove: () => void;
};

function FilterChip({ filter: { dimension, operator }, values, onEdit, onRemove }: ChipProps) {
  return (
    <span class="chip">
      <ChipText onEdit={onEdit}>
        {nameOfDimension(dimension)} {dimension !== FIRST_SEEN && <em>{OPERATOR_NAMES[operator]}</em>}{' '}
        <bdi>{values}</bdi>
      </ChipText>
      <button
        type="button"
        class="chip-remove"
        aria-label={`Remove the filter on ${nameOfDimension(dimension)}`}
        onClick={onRemove}
      >
        <CloseIcon size={11} />
      </button>
    </span>
  );
}

type ChipTextProps = { onEdit: (() => void) | false | undefined; children: ComponentChildren };

function ChipText({ onEdit, children }: ChipTextProps) {
  if (!onEdit) return <span class="chip-text">{children}</span>;
  return (
    <button type="button" class="chip-text" onClick={onEdit} title="Edit">
      {children}
    </button>
  );
}
