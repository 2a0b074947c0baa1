import { Fragment } from 'preact';
import type { Money } from '../../contract/goal.ts';
import { formatMoney } from '../state/format.ts';

/** Amounts in several currencies. Each stays on one line: a minus at the end of the line above would be missed. */
export function Amounts({ list }: { list: readonly (typeof Money.static)[] }) {
  return list.map((money, place) => (
    <Fragment key={money.currency}>
      {place > 0 && ', '}
      <span class="amount">{formatMoney(money)}</span>
    </Fragment>
  ));
}
