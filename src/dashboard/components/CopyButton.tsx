import { useEffect, useState } from 'preact/hooks';
import { announce } from './Announcer.tsx';

type Props = {
  text: string;
  label?: string;
  /** Id of the element that shows the text, which is selected when the clipboard is unavailable. */
  sourceId: string;
};

const MESSAGE_MS = 2_000;

/** Copies a text. Only secure pages have a clipboard; elsewhere the text is selected, ready to be copied by keyboard. */
export function CopyButton({ text, label = 'Copy', sourceId }: Props) {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(() => setMessage(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied');
      announce('Copied.');
    } catch {
      const source = document.getElementById(sourceId);
      if (source) getSelection()?.selectAllChildren(source);
      setMessage(source ? 'Selected' : 'Copy it by hand');
      announce(source ? 'Selected. Press Ctrl+C or ⌘C to copy.' : 'Could not copy to the clipboard.');
    }
  }

  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {message || label}
    </button>
  );
}
