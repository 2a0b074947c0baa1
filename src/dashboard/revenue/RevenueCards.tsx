import type { RevenueList } from '../../contract/metrics/figures.ts';
import { ChangeText } from '../charts/ChangeText.tsx';
import { changeOf, formatChange, formatCountOf, formatMoney } from '../state/format.ts';
import { Amounts } from './Amounts.tsx';

type Props = {
  revenue: RevenueList;
  /** Revenue of the earlier range; undefined without a comparison. */
  earlier: RevenueList | undefined;
};

/** Maximum cards. A shop has few currencies, but senders may name all of ISO 4217. */
const CARDS_MAX = 6;

/** Revenue of events: a card for each currency, because different ones are never added. */
export function RevenueCards({ revenue, earlier }: Props) {
  if (revenue.length === 0) return null;
  const cards = revenue.toSorted((a, b) => b.events - a.events).slice(0, CARDS_MAX);
  return (
    <>
      <dl class="revenue">
        {cards.map((card) => {
          const { currency, total, average, events } = card;
          const change = earlier && changeSince(card, earlier);
          return (
            <div key={currency}>
              <dt class="metric-name">Revenue, {currency}</dt>
              <dd class="number">
                <span class="metric-value">{formatMoney({ amount: total, currency })}</span>{' '}
                {change && (
                  <span class="revenue-change">
                    <ChangeText change={change} isBetterLow={false} />
                  </span>
                )}
              </dd>
              <dd class="revenue-average number">
                <Amounts list={[{ amount: average, currency }]} /> on average,{' '}
                {formatCountOf(events, 'events')}
              </dd>
            </div>
          );
        })}
      </dl>
      {revenue.length > CARDS_MAX && (
        <p class="quiet-text">
          Less often:{' '}
          <Amounts
            list={revenue
              .filter((each) => !cards.includes(each))
              .map(({ currency, total }) => ({ currency, amount: total }))}
          />
        </p>
      )}
    </>
  );
}

/** Undefined after a loss, which has no percentage. */
function changeSince({ currency, total, events }: RevenueList[number], earlier: RevenueList) {
  const before = earlier.find((each) => each.currency === currency) ?? { total: '0', events: 0 };
  const [now, then] = [Number(total), Number(before.total)];
  return then < 0 ? undefined : formatChange(changeOf(now, then), now, Math.max(events, before.events));
}
