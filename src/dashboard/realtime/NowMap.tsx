import { useEffect, useRef } from 'preact/hooks';
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
  const before = useRef<Realtime['countries']>([]);
  const pulses = new Set(before.current.length > 0 ? arrivals(before.current, countries) : []);
  useEffect(() => {
    before.current = countries;
  }, [countries]);
  if (!map) return <div class="map map-waiting" />;
  const rows = countries.map((row) => ({ ...row, share: row.visitors / Math.max(1, visitors) }));
  return (
    <map.WorldMap
      label="Visitors now by country"
      shapes={map.shapes}
      rows={rows}
      pulses={pulses}
      onPick={(code, event) => onPick(code, editOf(event))}
    />
  );
}

/** Countries with more visitors than before. */
function arrivals(before: Realtime['countries'], now: Realtime['countries']): string[] {
  const counts = new Map(before.map(({ value, visitors }) => [value, visitors]));
  return now.flatMap(({ value, visitors }) =>
    value !== null && visitors > (counts.get(value) ?? 0) ? [value] : [],
  );
}
