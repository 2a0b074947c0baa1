import { useEffect, useState } from 'preact/hooks';

let say: ((text: string) => void) | undefined;

/** Announces a text to screen readers. */
export function announce(text: string): void {
  say?.(text);
}

/** The only live region of the page. Each login has its own, so that no text of an earlier one remains. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    say = setText;
    return () => {
      say = undefined;
    };
  }, []);
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  );
}
