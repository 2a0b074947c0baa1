import type { Realtime } from '../../metrics/reports/realtime.ts';
import { useMap } from '../map/use-map.ts';
import { editOf, type FilterEdit } from '../state/filter-edits.ts';

type Props = {
  countries: Realtime['countries'];
  visitors: number;
  onPick: (code: string, edit: FilterEdit) => void;
};

/** Map of the present visitors. Without the map's files there is still the list. */
export function NowMap({ countries, visitors, onPick }: Props) {
  const { map } = useMap();
  if (!map) return <div class="map map-waiting" />;
  const rows = countries.map((row) => ({ ...row, share: row.visitors / Math.max(1, visitors) }));
  return (
    <map.WorldMap
      label="Visitors now by country"
      shapes={map.shapes}
      rows={rows}
      onPick={(code, event) => onPick(code, editOf(event))}
    />
  );
}
