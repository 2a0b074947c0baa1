import { useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { OFFERED_PERIODS, PERIOD_NAMES } from '../state/ranges.ts';
import { ACTION_KEYS, areShortcutsOn, PERIOD_KEYS, switchShortcuts } from '../state/shortcuts.ts';

const KEY_NAMES: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

/** Keyboard shortcuts, and how to use rows. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Dialog title="Keyboard and mouse" size="wide" onClose={onClose}>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            switchShortcuts(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />
        Keyboard shortcuts
      </label>
      <div class="keys">
        <dl>
          {OFFERED_PERIODS.map((period) => (
            <KeyLine key={period} name={PERIOD_KEYS[period]} does={PERIOD_NAMES[period]} />
          ))}
        </dl>
        <dl>
          {Object.entries(ACTION_KEYS).map(([key, does]) => (
            <KeyLine key={key} name={KEY_NAMES[key] ?? key.toUpperCase()} does={does} />
          ))}
        </dl>
        <dl>
          <KeyLine name="1 … 9" does="Open another website" />
          <KeyLine name="Click" does="Filter by a row" />
          <KeyLine name="Alt + click" does="Exclude a row" />
          <KeyLine name="Shift + click" does="Add a row to the filter" />
          <KeyLine name="→" does="Open the menu of a row" />
          <KeyLine name="Drag" does="Zoom in on the chart" />
        </dl>
      </div>
    </Dialog>
  );
}

function KeyLine({ name, does }: { name: string; does: string }) {
  return (
    <div>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
