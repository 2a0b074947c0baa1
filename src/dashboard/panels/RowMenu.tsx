import { Menu } from '../components/Menu.tsx';
import type { FilterEdit } from '../state/filter-edits.ts';

type Props = {
  /** Name of the row. */
  name: string;
  /** Address of the row's page on the website. */
  external: string | undefined;
  onPick: (edit: FilterEdit) => void;
};

/** Further actions of a row. The mouse finds the button on the row; ArrowRight or the menu key on its link opens it. */
export function RowMenu({ name, external, onPick }: Props) {
  return (
    <Menu
      class="row-menu"
      align="end"
      isIcon
      isSkipped
      name={`More for ${name}`}
      label={
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />
        </svg>
      }
    >
      <button type="button" onClick={() => onPick('only')}>
        Filter by this <kbd>Click</kbd>
      </button>
      <button type="button" onClick={() => onPick('exclude')}>
        Exclude <kbd>Alt</kbd>
      </button>
      <button type="button" onClick={() => onPick('or')}>
        Add to filter (or) <kbd>Shift</kbd>
      </button>
      {external && (
        <a href={external} target="_blank" rel="noopener noreferrer">
          Open the page <span aria-hidden="true">↗</span>
        </a>
      )}
    </Menu>
  );
}

/** Opens the menu of a link's row, and focuses its first entry. */
export function openRowMenu(link: HTMLElement): void {
  const menu = link.closest('li')?.querySelector<HTMLElement>('.row-menu');
  menu?.querySelector('button')?.click();
  // The list is drawn with the next frame.
  requestAnimationFrame(() => menu?.querySelector<HTMLElement>('.menu-list :is(a, button)')?.focus());
}

export function opensRowMenu({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ArrowRight' || key === 'ContextMenu' || (key === 'F10' && shiftKey);
}
