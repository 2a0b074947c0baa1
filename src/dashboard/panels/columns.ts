import { useState } from 'preact/hooks';
import { METRICS, type Metric } from '../../vocabulary/analytics.ts';
import { storage } from '../browser/storage.ts';

/** Which metrics a table shows. */

const DEFAULTS: readonly Metric[] = ['visitors', 'visits', 'pageviews', 'bounceRate', 'visitDuration'];
const OF_EVENTS: readonly Metric[] = ['visitors', 'events'];
const KEY = 'pagemeter.columns';

/** The columns that the user chose last, in the order of the metrics; a table of events has its own. */
export function useColumns(isOfEvents: boolean) {
  const [chosen, setChosen] = useState(read);
  if (isOfEvents) return { columns: OF_EVENTS, toggle: undefined };
  return {
    columns: chosen,
    /** Adds or removes a column; the last one stays. */
    toggle(metric: Metric) {
      const next = METRICS.filter((other) => chosen.includes(other) !== (other === metric));
      if (next.length === 0) return;
      storage.setItem(KEY, next.join());
      setChosen(next);
    },
  };
}

function read(): readonly Metric[] {
  const kept = storage.getItem(KEY)?.split(',') ?? [];
  const known = METRICS.filter((metric) => kept.includes(metric));
  return known.length > 0 ? known : DEFAULTS;
}
