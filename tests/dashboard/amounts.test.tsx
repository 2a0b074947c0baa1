import { expect, test } from 'bun:test';
import { Amounts } from '../../src/dashboard/revenue/Amounts.tsx';
import { mount } from '../support/render.ts';

test('each amount is one piece, which no line may break, sign and all', () => {
  const list = [
    { amount: '19.90', currency: 'EUR' },
    { amount: '-715.00', currency: 'GBP' },
  ];
  using page = mount(<Amounts list={list} />);
  expect(page.findAll('.amount').map(({ textContent }) => textContent)).toEqual(['€19.90', '−£715.00']);
  expect(page.find('.amount')?.parentElement?.textContent).toBe('€19.90, −£715.00');
});
