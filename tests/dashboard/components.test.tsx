import { describe, expect, test } from 'bun:test';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { ApiError } from '../../src/dashboard/api/client.ts';
import { Dialog } from '../../src/dashboard/components/Dialog.tsx';
import { Field, Form } from '../../src/dashboard/components/Form.tsx';
import { lazy } from '../../src/dashboard/components/lazy.tsx';
import { Tabs } from '../../src/dashboard/components/Tabs.tsx';
import { BarList, type BarRow } from '../../src/dashboard/panels/BarList.tsx';
import type { FilterEdit } from '../../src/dashboard/state/filter-edits.ts';
import { type Mounted, mount } from '../support/render.ts';

/** Lets what was promised happen, and what it changes be drawn. */
const settle = () => act(async () => {});

describe('a form', () => {
  async function sendRefused(fault: ApiError): Promise<Mounted> {
    const page = mount(
      <Form action="Save" onSend={() => Promise.reject(fault)}>
        <Field name="name" label="Name" />
        <Field name="domain" label="Domain" />
      </Form>,
    );
    page.fire(page.find('form'), 'submit');
    await settle();
    return page;
  }
  const faults = (page: Mounted) => page.findAll('.fault').map(({ textContent }) => textContent);

  test('shows what is refused at its field, and puts the focus there', async () => {
    using page = await sendRefused(
      new ApiError(400, 'VALIDATION_ERROR', 'Refused', { domain: ['Not a URL', 'Too long'] }),
    );
    expect(faults(page)).toEqual(['', 'Not a URL. Too long', '']);
    const field = page.find<HTMLInputElement>('[name=domain]');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(field.getAttribute('aria-describedby')).toContain(page.findAll('.fault')[1]?.id ?? '-');
    expect(page.document.activeElement).toBe(field);
  });

  test('shows what belongs to no field above the button, and can be sent again', async () => {
    using page = await sendRefused(new ApiError(409, 'CONFLICT', 'It is there already', { other: ['x'] }));
    expect(faults(page)).toEqual(['', '', 'It is there already']);
    expect(page.find<HTMLButtonElement>('button').disabled).toBe(false);
  });

  test('is sent once at a time', async () => {
    const sent: Record<string, string>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    using page = mount(
      <Form
        action="Save"
        onSend={(values) => {
          sent.push(values);
          return promise;
        }}
      >
        <Field name="name" label="Name" value="Shop" />
      </Form>,
    );
    page.fire(page.find('form'), 'submit');
    page.fire(page.find('form'), 'submit');
    expect(sent).toEqual([{ name: 'Shop' }]);
    expect(page.find('button').getAttribute('aria-busy')).toBe('true');
    resolve();
    await settle();
    page.fire(page.find('form'), 'submit');
    expect(sent.length).toBe(2);
  });
});

describe('tabs', () => {
  const TABS = ['one', 'two', 'three'].map((id) => ({ id, label: id }));

  test.each([
    ['one', 'ArrowRight', 'two'],
    ['three', 'ArrowRight', 'one'],
    ['one', 'ArrowLeft', 'three'],
    ['two', 'Home', 'one'],
    ['two', 'End', 'three'],
  ])('from %s, %s leads to %s and keeps the key to itself', (current, key, expected) => {
    const chosen: string[] = [];
    using page = mount(
      <Tabs
        label="Tabs"
        tabs={TABS}
        current={current}
        panelId="panel"
        onChoose={(tab) => chosen.push(tab)}
      />,
    );
    expect(page.findAll('[tabindex="0"]').map(({ textContent }) => textContent)).toEqual([current]);
    let isHeardOutside = false;
    page.document.addEventListener('keydown', () => {
      isHeardOutside = true;
    });
    page.press(page.find('[aria-selected=true]'), key);
    expect(chosen).toEqual([expected]);
    expect(page.document.activeElement?.textContent).toBe(expected);
    expect(isHeardOutside).toBe(false);
  });

  test('leave other keys to the page', () => {
    const chosen: string[] = [];
    using page = mount(
      <Tabs label="Tabs" tabs={TABS} current="one" panelId="panel" onChoose={(tab) => chosen.push(tab)} />,
    );
    expect(page.press(page.find('[aria-selected=true]'), 'd').defaultPrevented).toBe(false);
    expect(chosen).toEqual([]);
  });
});

describe('a list with bars', () => {
  const ROWS: BarRow[] = [
    { key: 'DE', label: 'Germany', part: 1, value: '10', href: '?f=is,country,DE' },
    { key: 'FR', label: 'France', part: 0.001, value: '1', href: '?f=is,country,FR', isChosen: true },
  ];

  test.each<[string, Record<string, boolean>, FilterEdit | undefined]>([
    ['a click', {}, 'only'],
    ['a click with Alt', { altKey: true }, 'exclude'],
    ['a click with Shift', { shiftKey: true }, 'or'],
    ['a click with Ctrl, which is for another tab,', { ctrlKey: true }, undefined],
    ['a click with ⌘', { metaKey: true }, undefined],
  ])('%s means %p → %p', (_, keys, edit) => {
    const picked: [string, FilterEdit][] = [];
    using page = mount(<BarList rows={ROWS} onPick={(...pick) => picked.push(pick)} />);
    const event = page.fire(page.find('a'), 'click', { button: 0, ...keys });
    expect(picked).toEqual(edit ? [['DE', edit]] : []);
    expect(event.defaultPrevented).toBe(edit !== undefined);
  });

  test('says which row is chosen, and draws something for the smallest', () => {
    using page = mount(<BarList rows={ROWS} onPick={() => {}} />);
    expect(page.findAll('a').map((link) => link.getAttribute('aria-current'))).toEqual([null, 'true']);
    expect(page.findAll('.bar').map(({ style }) => style.width)).toEqual(['100%', '0.5%']);
  });

  test('says to those who hear it what is counted', () => {
    using page = mount(<BarList rows={ROWS} heads={['Country', 'Visitors']} />);
    expect(page.findAll('.bar-value').map(({ textContent }) => textContent)).toEqual([
      '10 visitors',
      '1 visitor',
    ]);
  });

  test('has no links where nothing can be picked', () => {
    using page = mount(<BarList rows={ROWS} />);
    expect(page.findAll('a')).toEqual([]);
  });
});

test('a dialog is closed by its button, by Escape, and by a press outside it, once each', () => {
  let count = 0;
  using page = mount(
    <Dialog title="Title" onClose={() => (count += 1)}>
      <p>Text</p>
    </Dialog>,
  );
  const dialog = page.find('dialog');
  expect(page.find(`#${dialog.getAttribute('aria-labelledby')}`).textContent).toBe('Title');
  page.fire(page.find('[aria-label=Close]'), 'click');
  expect(page.fire(dialog, 'cancel').defaultPrevented).toBe(true);
  page.fire(dialog, 'pointerdown');
  page.fire(page.find('p'), 'pointerdown'); // inside
  expect(count).toBe(3);
});

test('a part whose code comes after it was drawn and before its effects is shown', async () => {
  using page = mount(<div class="place" />);
  const Part = lazy(async () => () => <p class="part">There</p>);
  await act(async () => {
    render(<Part />, page.find('.place'));
    Part.preload();
    await Bun.sleep(0); // a turn of the event loop, after which the code is there; effects come at the end of this
  });
  await settle();
  expect(page.find('.part').textContent).toBe('There');
});

test('a part whose code cannot be fetched says so', async () => {
  using page = mount(<div class="place" />);
  const Part = lazy<object>(
    () => Promise.reject(new Error('gone')),
    ({ hasFailed }) => (hasFailed ? <p class="failed">Not there</p> : null),
  );
  await act(async () => render(<Part />, page.find('.place')));
  await settle();
  expect(page.find('.failed').textContent).toBe('Not there');
  await act(async () => render(null, page.find('.place'))); // asks no more
});
