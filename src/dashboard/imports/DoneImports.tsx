import type { Import } from '../../contract/import.ts';
import { unitsOf } from '../../vocabulary/import-formats.ts';
import { formatCountOf } from '../state/format.ts';
import { formatDays } from '../state/time-format.ts';
import { dayOf } from './day-of.ts';

type Props = { imports: Import[]; timezone: string; onUndo: ((one: Import) => void) | undefined };

/** Imports that are done, which can be undone. */
export function DoneImports({ imports, timezone, onUndo }: Props) {
  return (
    <section class="card import-card">
      <h2>Imported</h2>
      <ul class="key-list">
        {imports.map((each) => (
          <li key={each.id}>
            <div>
              <strong>{each.source}</strong>
              <p class="quiet-text">{describe(each, timezone)}</p>
            </div>
            {onUndo && each.state !== 'undoing' && (
              <button type="button" class="quiet small" onClick={() => onUndo(each)}>
                Undo…<span class="unseen"> {each.source}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe({ format, state, added, from, to }: Import, timezone: string): string {
  if (state === 'undoing') return 'Its events are being removed';
  const range = from && to ? ` · ${formatDays(dayOf(from, timezone), dayOf(to, timezone))}` : '';
  return added === 0 ? 'Nothing was new' : `${formatCountOf(added ?? 0, unitsOf(format))}${range}`;
}
