import { describe, expect, test } from 'bun:test';
import { switchShortcuts, useDigits } from '../../src/dashboard/state/shortcuts.ts';
import { mount } from '../support/render.ts';

describe('a digit', () => {
  const pressed: number[] = [];
  function Page() {
    useDigits((digit) => pressed.push(digit));
    return (
      <main>
        <input />
        <button type="button">A button</button>
      </main>
    );
  }

  test('keys 1 to 9 count outside text fields, without another key held', () => {
    using page = mount(<Page />);
    const button = page.find('button');
    expect(page.press(button, '3').defaultPrevented).toBe(true);
    page.press(button, '9');
    for (const key of ['0', 'a', '10']) expect(page.press(button, key).defaultPrevented).toBe(false);
    page.press(button, '1', { ctrlKey: true });
    page.press(page.find('input'), '4');
    expect(pressed.splice(0)).toEqual([3, 9]);
  });

  test('means nothing while the keys are switched off', () => {
    using page = mount(<Page />);
    switchShortcuts(false);
    page.press(page.find('button'), '3');
    switchShortcuts(true);
    expect(pressed.splice(0)).toEqual([]);
  });
});
