import { expect, test } from 'bun:test';
import { act } from 'preact/test-utils';
import { ApiError } from '../../src/dashboard/api/client.ts';
import { GoalDialog } from '../../src/dashboard/goals/GoalDialog.tsx';
import { mount } from '../support/render.ts';

test('a name that another goal has is refused at the field of the name', async () => {
  const message = 'Another goal of this website has this name';
  using page = mount(
    <GoalDialog
      onSave={() => Promise.reject(new ApiError(409, 'CONFLICT', message, { name: [message] }))}
      onDelete={() => {}}
      onClose={() => {}}
    />,
  );
  page.fire(page.find('form'), 'submit');
  await act(async () => {});
  expect(
    page
      .findAll('.fault')
      .map(({ textContent }) => textContent)
      .filter(Boolean),
  ).toEqual([message]);
  const name = page.find('[name=name]');
  expect(page.document.activeElement).toBe(name);
  expect(name.closest('.field')?.querySelector('.fault')?.textContent).toBe(message);
});
