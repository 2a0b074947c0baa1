import { describe, expect, test } from 'bun:test';
import type { RevenueList } from '../../src/contract/metrics/figures.ts';
import { RevenueCards } from '../../src/dashboard/revenue/RevenueCards.tsx';
import { mount } from '../support/render.ts';

const revenue = (currency: string, total: string, events: number, average = total) => ({
  currency,
  total,
  average,
  events,
});

function cardsOf(now: RevenueList, earlier?: RevenueList): string[] {
  using page = mount(<RevenueCards revenue={now} earlier={earlier} />);
  return page.findAll('.revenue > div, p').map(({ textContent }) => (textContent ?? '').trim());
}

describe('revenue', () => {
  test('has a card a currency, the one of most events first', () => {
    expect(cardsOf([revenue('EUR', '19.90', 1), revenue('USD', '1234.50', 20, '61.73')])).toEqual([
      'Revenue, USD$1,234.50 $61.73 on average, 20 events',
      'Revenue, EUR€19.90 €19.90 on average, 1 event',
    ]);
  });

  test('has none where nothing was brought', () => {
    expect(cardsOf([], [revenue('EUR', '19.90', 1)])).toEqual([]);
  });

  test.each([
    ['up', '200.00', 20, '100.00', '+100%', 'change-better'],
    ['down', '50.00', 20, '100.00', '−50%', 'change-worse'],
    ['of few events', '50.00', 3, '100.00', '−50%', 'change-same'],
    ['after nothing', '50.00', 20, undefined, 'New', 'change-new'],
  ])('tells its change: %s', (_, total, events, before, text, look) => {
    const earlier = before === undefined ? [] : [revenue('EUR', before, 5)];
    using page = mount(<RevenueCards revenue={[revenue('EUR', total, events)]} earlier={earlier} />);
    const change = page.find('.change');
    expect(change.textContent).toBe(text);
    expect(change.classList.contains(look)).toBe(true);
  });

  test.each([
    ['nothing is compared', undefined],
    ['more was given back before than paid', [revenue('EUR', '-5.00', 20)]],
  ])('tells no change where %s', (_, earlier) => {
    expect(cardsOf([revenue('EUR', '50.00', 20)], earlier)).toEqual([
      'Revenue, EUR€50.00 €50.00 on average, 20 events',
    ]);
  });

  test('shows six currencies as cards, and the others in one line', () => {
    const currencies = ['AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'NOK', 'USD'];
    const cards = cardsOf(currencies.map((currency, index) => revenue(currency, '5.00', 20 - index)));
    expect(cards).toHaveLength(7);
    expect(cards.at(-1)).toBe('Less often: NOK\u00a05.00, $5.00');
  });
});
