import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type Section = { id: string; title: string };

/** Sections one below the other, and beside them a list that leads to each. What is typed stays: nothing is hidden. */
export function SettingsSections({ children }: { children: ComponentChildren }) {
  const list = useRef<HTMLDivElement>(null);
  const [sections, setSections] = useState<Section[]>([]);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const read = () =>
      setSections(
        [...current.querySelectorAll('.settings-card')].map(({ id, firstElementChild }) => ({
          id,
          title: firstElementChild?.textContent ?? '',
        })),
      );
    read();
    const observer = new MutationObserver(read); // some come with an answer of their own
    observer.observe(current, { childList: true });
    return () => observer.disconnect();
  }, []);
  return (
    <div class="settings-body">
      <nav class="settings-nav" aria-label="Sections">
        {sections.map(({ id, title }) => (
          // Not a link to a part of the page: that would be a step of the history, which asks about what is not saved.
          <button key={id} type="button" onClick={() => show(id)}>
            {title}
          </button>
        ))}
      </nav>
      <div class="settings-list" ref={list}>
        {children}
      </div>
    </div>
  );
}

function show(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.querySelector('h2')?.focus({ preventScroll: true });
}
