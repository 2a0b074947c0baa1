import { useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { OFFERED_PERIODS, PERIOD_NAMES } from './ranges.ts';
import { ACTION_KEYS, areShortcutsOn, PERIOD_KEYS, switchShortcuts } from './shortcuts.ts';

const KEY_NAMES: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

/** Which keys do what, and how rows are used. */
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
          <KeyLine name="1 … 9" does="another website" />
          <KeyLine name="Click" does="a row: filter by it" />
          <KeyLine name="Alt + click" does="exclude it" />
          <KeyLine name="Shift + click" does="add it to the filter" />
          <KeyLine name="→" does="on a row: all of this as a menu" />
          <KeyLine name="Drag" does="over the chart: zoom in" />
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
