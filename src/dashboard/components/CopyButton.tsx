import { useEffect, useState } from 'preact/hooks';
import { announce } from './Announcer.tsx';

type Props = {
  text: string;
  label?: string;
  /** The element that shows the text: selected when the clipboard is out of reach. */
  sourceId: string;
};

const SAID_MS = 2_000;

/** Copies a text. The clipboard is for secure pages only; elsewhere the text is selected, ready for the keyboard. */
export function CopyButton({ text, label = 'Copy', sourceId }: Props) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
      announce('Copied.');
    } catch {
      const source = document.getElementById(sourceId);
      if (source) getSelection()?.selectAllChildren(source);
      setSaid(source ? 'Selected' : 'Copy it by hand');
      announce(source ? 'Selected. Press Ctrl+C or ⌘C to copy.' : 'Could not copy to the clipboard.');
    }
  }

  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {said || label}
    </button>
  );
}
