import { useState } from 'preact/hooks';
import type { Goal } from '../../contract/goal.ts';
import type { SavedFunnel } from '../../contract/saved-funnel.ts';
import { NAME_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field, Form } from '../components/Form.tsx';
import { Menu } from '../components/Menu.tsx';
import { useHasRole } from '../state/own-access.ts';
import { type FunnelState, fromSaved, toSaved } from './funnel-state.ts';

type Props = {
  place: Place;
  goals: Goal[];
  /** The funnel that is shown. */
  funnel: FunnelState;
  onOpen: (funnel: FunnelState) => void;
};

/** API fields that the form shows at the name, because it has no field for them. */
const STEPS_AT_NAME = { steps: 'name', window: 'name' };

type Opened = { kind: 'save' } | { kind: 'change' | 'delete'; saved: SavedFunnel };

/** Opens, saves, renames and deletes named funnels. */
export function SavedFunnels({ place, goals, funnel, onOpen }: Props) {
  const path = `/websites/${encodeURIComponent(place.websiteId)}/funnels`;
  const [opened, setOpened] = useState<Opened>();
  const mayEdit = useHasRole('editor');
  const { answer, retry } = useAnswer(`funnels ${place.base}`, (signal) =>
    call<{ funnels: SavedFunnel[] }>('GET', path, { signal }),
  );
  const list = answer?.funnels ?? [];
  const shown = JSON.stringify(toSaved(funnel));
  const current = list.find((saved) => JSON.stringify(toSaved(fromSaved(saved, goals))) === shown);

  async function send(method: string, to: string, message: string, body?: object): Promise<void> {
    await call(method, path + to, { body });
    setOpened(undefined);
    retry();
    announce(message);
  }

  return (
    <div class="saved-funnels">
      {list.length > 0 && (
        <FunnelMenu list={list} current={current} onOpen={(saved) => onOpen(fromSaved(saved, goals))} />
      )}
      {!mayEdit ? null : current ? (
        <button type="button" class="quiet" onClick={() => setOpened({ kind: 'change', saved: current })}>
          Rename…
        </button>
      ) : (
        <button type="button" class="quiet" onClick={() => setOpened({ kind: 'save' })}>
          Save funnel…
        </button>
      )}
      {opened?.kind === 'save' && (
        <Dialog title="Save funnel" onClose={() => setOpened(undefined)}>
          <Form
            action="Save"
            fieldOf={STEPS_AT_NAME}
            onSend={({ name = '' }) => {
              const same = list.find((saved) => saved.name === name.trim());
              const body = { name, ...toSaved(funnel) };
              return same
                ? send('PATCH', `/${same.id}`, 'Funnel replaced.', body)
                : send('POST', '', 'Funnel saved.', body);
            }}
          >
            <Name
              value=""
              hint={list.length > 0 ? 'The name of a saved funnel replaces that one.' : undefined}
            />
          </Form>
        </Dialog>
      )}
      {opened?.kind === 'change' && (
        <Dialog title="Rename funnel" onClose={() => setOpened(undefined)}>
          <Form
            action="Save"
            fieldOf={STEPS_AT_NAME}
            onSend={({ name }) => send('PATCH', `/${opened.saved.id}`, 'Funnel saved.', { name })}
            aside={
              <button
                type="button"
                class="plain"
                onClick={() => setOpened({ kind: 'delete', saved: opened.saved })}
              >
                Delete…
              </button>
            }
          >
            <Name value={opened.saved.name} />
          </Form>
        </Dialog>
      )}
      {opened?.kind === 'delete' && (
        <DangerDialog
          title={`Delete “${opened.saved.name}”?`}
          action="Delete funnel"
          onAct={() => send('DELETE', `/${opened.saved.id}`, 'Funnel deleted.')}
          onClose={() => setOpened(undefined)}
        >
          No events are lost. The same steps give the same numbers again.
        </DangerDialog>
      )}
    </div>
  );
}

type MenuProps = {
  list: SavedFunnel[];
  current: SavedFunnel | undefined;
  onOpen: (saved: SavedFunnel) => void;
};

function FunnelMenu({ list, current, onOpen }: MenuProps) {
  return (
    <Menu label={<bdi>{current?.name ?? 'Saved funnels'}</bdi>}>
      {list.map((saved) => (
        <button
          key={saved.id}
          type="button"
          aria-current={saved === current ? 'true' : undefined}
          onClick={() => onOpen(saved)}
        >
          <span>
            <bdi>{saved.name}</bdi>
            {saved.faults.length > 0 && <small>A step uses something that was deleted</small>}
          </span>
        </button>
      ))}
    </Menu>
  );
}

function Name({ value, hint }: { value: string; hint?: string | undefined }) {
  return (
    <Field
      name="name"
      label="Name"
      value={value}
      maxLength={NAME_LENGTH_MAX}
      placeholder="From the prices to a purchase"
      hint={hint}
    />
  );
}
