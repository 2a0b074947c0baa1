import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './Announcer.tsx';

type Props = {
  /** What it does; pressed again while it does it, nothing happens. */
  onAct: () => Promise<unknown>;
  children: ComponentChildren;
};

/** A button for what takes a while and may fail: then it says so, and can be pressed again. */
export function ActionButton({ onAct, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');

  async function act(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFault('');
    try {
      await onAct();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setFault(message);
      announce(message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <button
      type="button"
      class="quiet"
      aria-busy={isBusy}
      title={fault || undefined}
      onClick={() => void act()}
    >
      {children}
      {fault && ' – failed, try again'}
    </button>
  );
}
