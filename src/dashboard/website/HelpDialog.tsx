import { useState } from 'preact/hooks';
import { PERIODS } from '../../contract/vocabulary.ts';
import { Dialog } from '../components/Dialog.tsx';
import { PERIOD_NAMES } from './ranges.ts';
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
        Single keys are shortcuts
      </label>
      <div class="keys">
        <dl>
          {PERIODS.map((period) => (
            <KeyLine key={period} name={PERIOD_KEYS[period]} does={PERIOD_NAMES[period]} />
          ))}
        </dl>
        <dl>
          {Object.entries(ACTION_KEYS).map(([key, does]) => (
            <KeyLine key={key} name={KEY_NAMES[key] ?? key.toUpperCase()} does={does} />
          ))}
        </dl>
        <dl>
          <KeyLine name="Click" does="a row: filter by it" />
          <KeyLine name="Alt + click" does="leave it out" />
          <KeyLine name="Shift + click" does="this one as well" />
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
