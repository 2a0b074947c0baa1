import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './Announcer.tsx';

type Props = {
  /** The action. Presses during it are ignored. */
  onAct: () => Promise<unknown>;
  kind?: 'quiet' | 'primary';
  children: ComponentChildren;
};

/** A button for an action that takes a while. It shows a failure, and can be pressed again. */
export function ActionButton({ onAct, kind = 'quiet', children }: Props) {
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
      class={kind}
      aria-busy={isBusy}
      title={fault || undefined}
      onClick={() => void act()}
    >
      {children}
      {fault && ' – failed, try again'}
    </button>
  );
}
