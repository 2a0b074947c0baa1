import { expect, test } from 'bun:test';
import { Menu } from '../../src/dashboard/components/Menu.tsx';
import { type Mounted, mount } from '../support/render.ts';

/** The menu listens to the document that it is in; components find it as a global. */
function mountMenu(onChoose: (name: string) => void = () => {}): Mounted {
  return mount(
    <Menu label="Period">
      {['one', 'two', 'three'].map((name) => (
        <button key={name} type="button" onClick={() => onChoose(name)}>
          {name}
        </button>
      ))}
    </Menu>,
  );
}
const open = (page: Mounted) => page.fire(page.find('.menu-button'), 'click');
const isOpen = (page: Mounted) => page.find('.menu-button').getAttribute('aria-expanded') === 'true';

test.each([
  [['ArrowDown'], 'one'],
  [['ArrowDown', 'ArrowDown'], 'two'],
  [['ArrowUp'], 'three'],
  [['ArrowDown', 'ArrowUp'], 'three'],
  [['ArrowUp', 'ArrowDown'], 'one'],
])('%p leads to %s', (keys, expected) => {
  using page = mountMenu();
  open(page);
  page.find('.menu-button').focus();
  for (const key of keys) page.press(page.document.activeElement ?? page.container, key);
  expect(page.document.activeElement?.textContent).toBe(expected);
});

test('Escape closes it wherever the focus is, gives that to the button, and reaches no other listener', () => {
  using page = mountMenu();
  const heard: string[] = [];
  page.document.body.addEventListener('keydown', ({ key }) => heard.push(key));
  open(page);
  page.press(page.document.body, 'Escape');
  expect({ isOpen: isOpen(page), heard }).toEqual({ isOpen: false, heard: [] });
  expect(page.document.activeElement).toBe(page.find('.menu-button'));
  page.press(page.document.body, 'Escape'); // now it is the page's
  expect(heard).toEqual(['Escape']);
});

test('a choice closes it, and so does a press elsewhere', () => {
  const chosen: string[] = [];
  using page = mountMenu((name) => chosen.push(name));
  open(page);
  page.fire(page.find('.menu-list button'), 'click');
  expect({ chosen, isOpen: isOpen(page) }).toEqual({ chosen: ['one'], isOpen: false });
  open(page);
  page.fire(page.document.body, 'pointerdown');
  expect(isOpen(page)).toBe(false);
});
