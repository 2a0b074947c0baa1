import type { Place } from '../api/place.ts';
import { SEGMENT, useSegments } from '../api/use-segments.ts';
import { Menu } from '../components/Menu.tsx';
import { editFilters } from '../state/filter-edits.ts';
import { useHasRole } from '../state/own-access.ts';
import type { Filter } from '../state/view-state.ts';

type Props = {
  place: Place;
  filters: Filter[];
  onChange: (filters: Filter[]) => void;
  /** Opens the dialog to save the filters, or to change a segment. */
  onOpen: (id?: string) => void;
};

/** Menu of segments. The public sees the public ones, and no menu when there are none. */
export function SegmentMenu(props: Props) {
  const { isPublic } = props.place;
  const shown = useSegments(props.place, isPublic);
  if (isPublic && !shown?.length) return null;
  return (
    <Menu label="Segments" class="segment-menu">
      <Entries {...props} />
    </Menu>
  );
}

/** Entries of the menu, loaded when it is open. */
function Entries({ place, filters, onChange, onOpen }: Props) {
  const segments = useSegments(place, true);
  const applied = filters.filter(({ dimension }) => dimension === SEGMENT);
  const maySave = useHasRole('editor') && !place.isPublic && filters.length > applied.length;
  return (
    <>
      {segments?.length === 0 && !maySave && (
        <p class="menu-note">A segment is a saved set of filters. Add filters, then save them here.</p>
      )}
      {segments?.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-current={applied.some(({ values }) => values.includes(id)) ? 'true' : undefined}
          onClick={() => onChange(editFilters(filters, SEGMENT, id, 'only'))}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
      {maySave && segments && segments.length > 0 && <hr />}
      {maySave && (
        <button type="button" onClick={() => onOpen()}>
          Save these filters…
        </button>
      )}
    </>
  );
}
