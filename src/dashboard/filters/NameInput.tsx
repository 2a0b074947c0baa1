import { useState } from 'preact/hooks';

type Props = { label: string; kind: 'page' | 'event'; value: string; onChange: (value: string) => void };

/** The name of a page or an event. Said when it is entered; what is typed stays, whatever is drawn anew meanwhile. */
export function NameInput({ label, kind, value, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      class="funnel-value"
      aria-label={label}
      value={typed ?? value}
      placeholder={kind === 'page' ? '/pricing, /docs/**' : 'signup'}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setTyped(undefined);
        const name = currentTarget.value.trim();
        onChange(kind === 'page' ? toPath(name) : name);
      }}
    />
  );
}

/** As every page begins: one star stands for no slash. */
function toPath(text: string): string {
  if (text === '' || text.startsWith('/') || text.startsWith('**')) return text;
  return text.startsWith('*') ? `*${text}` : `/${text}`;
}
