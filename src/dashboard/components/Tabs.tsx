import { useRef } from 'preact/hooks';

type Props<Tab extends string> = {
  /** Name of the choice for screen readers. */
  label: string;
  tabs: readonly { id: Tab; label: string }[];
  current: Tab;
  onChoose: (tab: Tab) => void;
  /** Id of the element that shows the chosen tab. */
  panelId: string;
};

/** Tabs as in the ARIA practices: one is in the tab order, and arrow keys move between them. */
export function Tabs<Tab extends string>({ label, tabs, current, onChoose, panelId }: Props<Tab>) {
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent): void {
    const index = tabs.findIndex(({ id }) => id === current);
    const steps: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // arrows also change the period
    const position = next % tabs.length;
    const tab = tabs[position];
    if (!tab) return;
    onChoose(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[position]?.focus();
  }

  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === current}
          aria-controls={panelId}
          tabIndex={tab.id === current ? 0 : -1}
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
