import { formatCountLong, formatPercent, unitOf } from '../state/format.ts';
import { type FunnelRow, partThrough } from './FunnelTable.tsx';

/** Two strips of columns over time: how many entered, and which part completed. The table has the figures. */
export function FunnelColumns({ rows }: { rows: readonly FunnelRow[] }) {
  return (
    <>
      <Strip
        name="Entered"
        rows={rows}
        figureOf={({ reached }) => reached[0] ?? 0}
        format={formatCountLong}
      />
      <Strip
        name="Completion rate"
        rows={rows}
        figureOf={({ reached }) => partThrough(reached)}
        format={formatPercent}
      />
      <p class="funnel-ends quiet-text">
        <span>{rows[0]?.label}</span>
        {rows.length > 1 && <span>{rows.at(-1)?.label}</span>}
      </p>
    </>
  );
}

type StripProps = {
  name: string;
  rows: readonly FunnelRow[];
  figureOf: (row: FunnelRow) => number;
  format: (figure: number) => string;
};

function Strip({ name, rows, figureOf, format }: StripProps) {
  const most = Math.max(0, ...rows.map(figureOf));
  const highest = rows.find((row) => figureOf(row) === most);
  const summary = highest && most > 0 ? `peak ${format(most)} on ${highest.label}` : 'none';
  return (
    <figure class="funnel-strip">
      <figcaption class="quiet-text">
        {name} · {summary}
      </figcaption>
      <div
        class="funnel-columns"
        role="img"
        aria-label={`${name} over time: ${rows.length} ${unitOf(String(rows.length), 'points')}, ${summary}.`}
      >
        {rows.map((row) => (
          <span
            key={row.key}
            class="funnel-column"
            title={`${row.label}: ${format(figureOf(row))}`}
            style={{ '--part': String(most > 0 ? figureOf(row) / most : 0) }}
          />
        ))}
      </div>
    </figure>
  );
}
