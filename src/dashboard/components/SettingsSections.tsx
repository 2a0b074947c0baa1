import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type Section = { id: string; title: string };

/** Sections below each other, and a list of links to them. No section is hidden, so typed text stays. */
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
    const observer = new MutationObserver(read); // some sections load on their own
    observer.observe(current, { childList: true });
    return () => observer.disconnect();
  }, []);
  return (
    <div class="settings-body">
      <nav class="settings-nav" aria-label="Sections">
        {sections.map(({ id, title }) => (
          // Not a fragment link: it would add a history entry, and that asks about unsaved changes.
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
