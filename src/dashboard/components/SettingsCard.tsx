import type { ComponentChildren } from 'preact';

type Props = { title: string; children: ComponentChildren };

/** One section of settings. */
export function SettingsCard({ title, children }: Props) {
  return (
    <section class="card settings-card" id={title.toLowerCase().replace(/\W+/g, '-')}>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
    </section>
  );
}
