import type { Attribution } from '../../metrics/reports/attribution.ts';
import { ATTRIBUTION_MODELS, type AttributionModel } from '../../vocabulary/analytics.ts';
import { Mark } from '../marks/Mark.tsx';
import { Amounts } from '../revenue/Amounts.tsx';
import { nameOfDimension } from '../state/dimension-names.ts';
import { formatDecimal } from '../state/format.ts';
import { nameOfValue } from '../state/value-names.ts';

const MODEL_NAMES: Record<AttributionModel, string> = {
  first: 'First visit',
  last: 'Last visit',
  linear: 'Linear',
};

/** Shares of each value in the conversions and their revenue. */
export function AttributionTable({ dimension, rows }: Attribution) {
  return (
    <section
      class="table-scroll"
      aria-label="Shares"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
    >
      <table class="table attribution">
        <thead>
          <tr>
            <th scope="col">{nameOfDimension(dimension)}</th>
            {ATTRIBUTION_MODELS.map((model) => (
              <th key={model} scope="col" class="number">
                {MODEL_NAMES[model]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ value, ...models }) => (
            <tr key={value ?? ''}>
              <th scope="row">
                <Mark dimension={dimension} value={value} />
                <bdi>{nameOfValue(dimension, value)}</bdi>
              </th>
              {ATTRIBUTION_MODELS.map((model) => {
                const { conversions, revenue } = models[model];
                return (
                  <td key={model} class="number">
                    {formatDecimal(conversions)}
                    {revenue.length > 0 && (
                      <span class="goal-about">
                        <Amounts list={revenue} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
