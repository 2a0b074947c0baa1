import { useState } from 'preact/hooks';

type Props = { label: string; kind: 'page' | 'event'; value: string; onChange: (value: string) => void };

/** A field for the name of a page or event, reported on entry. Typed text survives redrawing. */
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

/** Adds the slash that every page begins with; a single star does not match one. */
function toPath(text: string): string {
  if (text === '' || text.startsWith('/') || text.startsWith('**')) return text;
  return text.startsWith('*') ? `*${text}` : `/${text}`;
}
