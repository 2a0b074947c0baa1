import { useEffect, useState } from 'preact/hooks';

let say: ((text: string) => void) | undefined;

/** Says something to those who do not see the page. */
export function announce(text: string): void {
  say?.(text);
}

/** The one live region of the page; each login has its own, so that nothing is left of the one before. */
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
