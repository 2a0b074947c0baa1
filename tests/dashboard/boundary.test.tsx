import { expect, spyOn, test } from 'bun:test';
import { act } from 'preact/test-utils';
import { Boundary } from '../../src/dashboard/components/Boundary.tsx';
import { mount } from '../support/render.ts';

/** Draws a text that a part of a page cannot draw when it is empty. */
function Part({ text }: { text: string }) {
  if (text === '') throw new TypeError('Nothing to draw');
  return <p class="part">{text}</p>;
}

const page = (first: string) => (
  <>
    <Boundary>
      <Part text={first} />
    </Boundary>
    <Boundary>
      <Part text="another" />
    </Boundary>
  </>
);

test('a fault in one part of a page leaves the others, and ends with what can be drawn', () => {
  using complaints = spyOn(console, 'error').mockImplementation(() => {});
  using mounted = mount(page(''));
  const parts = () => mounted.findAll('.part').map(({ textContent }) => textContent);
  expect(parts()).toEqual(['another']);
  expect(mounted.find('.problem').textContent).toStartWith('This part of the page could not be shown.');
  expect(complaints).toHaveBeenCalledTimes(1);
  mounted.update(page('one'));
  expect(parts()).toEqual(['one', 'another']);
  expect(mounted.findAll('.problem')).toEqual([]);
});

test('a part that failed is drawn again on request', () => {
  using _complaints = spyOn(console, 'error').mockImplementation(() => {});
  let text = '';
  const Changing = () => <Part text={text} />;
  using mounted = mount(
    <Boundary>
      <Changing />
    </Boundary>,
  );
  text = 'one';
  act(() => mounted.find('button').click());
  expect(mounted.find('.part').textContent).toBe('one');
});
