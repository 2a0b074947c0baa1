import { useState } from 'preact/hooks';
import type { Erased, ErasurePreview } from '../../contract/erasure.ts';
import type { Period } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { forgetAnswers } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { ChoiceField, Form } from '../components/Form.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { FilterBar } from '../filters/FilterBar.tsx';
import { FilterDialog } from '../filters/FilterDialog.tsx';
import { formatCountOf } from '../state/format.ts';
import { OFFERED_PERIODS, PERIOD_NAMES } from '../state/ranges.ts';
import { formatRange } from '../state/time-format.ts';
import { DEFAULT_PERIOD, type Filter, readViewState, toCondition } from '../state/view-state.ts';

type Props = { place: Place; path: string; timezone: string };

/** Erases events that should not have been collected: choose them, see how many they are, then confirm. */
export function EraseCard({ place, path, timezone }: Props) {
  const [period, setPeriod] = useState<Period>(DEFAULT_PERIOD);
  const [filters, setFilters] = useState<Filter[]>([]);
  const [edited, setEdited] = useState<number | 'new'>();
  const [seen, setSeen] = useState<ErasurePreview>();
  const selection = { filters: filters.map(toCondition), timezone };
  const view = { ...readViewState(''), period, filters };

  return (
    <SettingsCard title="Erase events">
      <p>
        Removes what should never have been collected, such as URLs with tokens or a wave of spam. Events from
        bots are included.
      </p>
      <Form
        action="Preview…"
        kind="quiet"
        onSend={async () => {
          const body = { ...selection, period };
          setSeen(await call<ErasurePreview>('POST', `${path}/erasures/preview`, { body }));
        }}
      >
        <ChoiceField
          name="period"
          label="Period"
          names={PERIOD_NAMES}
          among={OFFERED_PERIODS}
          value={period}
          onChange={setPeriod}
        />
        <FilterBar
          filters={filters}
          onAdd={() => setEdited('new')}
          onEdit={setEdited}
          onChange={setFilters}
        />
      </Form>
      {edited !== undefined && (
        <FilterDialog
          place={place}
          view={view}
          index={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onChange={(changed) => {
            setFilters(changed);
            setEdited(undefined);
          }}
        />
      )}
      {seen && (
        <EraseDialog
          seen={seen}
          timezone={timezone}
          onClose={() => setSeen(undefined)}
          onErase={async () => {
            const { from, to, events } = seen;
            const body = { ...selection, from, to, events };
            const { eventsRemoved } = await call<typeof Erased.static>('POST', `${path}/erasures`, { body });
            forgetAnswers();
            announce(`Erased ${formatCountOf(eventsRemoved, 'events')}.`);
            setSeen(undefined);
          }}
        />
      )}
    </SettingsCard>
  );
}

type EraseDialogProps = {
  seen: ErasurePreview;
  timezone: string;
  onClose: () => void;
  onErase: () => Promise<void>;
};

function EraseDialog({ seen, timezone, onClose, onErase }: EraseDialogProps) {
  const { events, visits, visitors, from, to } = seen;
  if (events === 0)
    return (
      <Dialog title="Nothing to erase" onClose={onClose}>
        <p>No events match, {formatRange({ from, to, timezone })}.</p>
      </Dialog>
    );
  return (
    <DangerDialog
      title={`Erase ${formatCountOf(events, 'events')}?`}
      action="Erase permanently"
      onAct={onErase}
      onClose={onClose}
    >
      From {formatCountOf(visits, 'visits')} by {formatCountOf(visitors, 'visitors')},{' '}
      {formatRange({ from, to, timezone })}. This permanently removes them from all reports. Backups keep them
      until they are replaced.
    </DangerDialog>
  );
}
