import type { ComponentChildren } from 'preact';
import type { DryRun } from '../../contract/import.ts';
import { unitsOf } from '../../vocabulary/import-formats.ts';
import { formatCountLong, formatCountOf } from '../state/format.ts';
import { formatDays } from '../state/time-format.ts';
import { dayOf } from './day-of.ts';
import { formatBytes } from './format-bytes.ts';

const HOSTS_SHOWN = 10;

/** A dry run: figures, hosts, columns, and rejected rows with their reasons. */
export function DryRunView({ dryRun, timezone }: { dryRun: DryRun; timezone: string }) {
  const { rows, accepted, duplicates, rejected, from, to, days, hosts, ignored } = dryRun;
  return (
    <>
      <dl class="import-figures">
        <Figure name="To add">
          {formatCountOf(accepted - duplicates, unitsOf(dryRun.format))}, about{' '}
          {formatBytes(dryRun.estimatedBytes)} and {formatSeconds(dryRun.estimatedSeconds)}
        </Figure>
        <Figure name="Rows">
          {formatCountLong(rows)}
          {dryRun.files > 1 && ` in ${formatCountOf(dryRun.files, 'files')}`}
          {duplicates > 0 && `, ${formatCountLong(duplicates)} stored already`}
          {rejected > 0 && `, ${formatCountLong(rejected)} rejected`}
        </Figure>
        {from !== null && to !== null && (
          <Figure name="Time">
            {formatDays(dayOf(from, timezone), dayOf(to, timezone))}, {formatCountOf(days, 'days')} with
            events
          </Figure>
        )}
        {hosts.length > 0 && (
          <Figure name="Hosts">
            <ul>
              {hosts.slice(0, HOSTS_SHOWN).map(({ host, count, otherWebsite }) => (
                <li key={host}>
                  {host}: {formatCountOf(count, 'events')}
                  {otherWebsite !== null && `. This host is your website ${otherWebsite}`}
                </li>
              ))}
              {hosts.length > HOSTS_SHOWN && <li>and {formatCountLong(hosts.length - HOSTS_SHOWN)} more</li>}
            </ul>
          </Figure>
        )}
        {dryRun.leftOut.length > 0 && (
          <Figure name="Left out">
            <Reasons of={dryRun.leftOut} />
          </Figure>
        )}
        {ignored.length > 0 && <Figure name="Other files">{ignored.join(', ')}</Figure>}
      </dl>
      {rejected > 0 && (
        <details>
          <summary>Rejected rows ({formatCountLong(rejected)})</summary>
          <Reasons of={dryRun.reasons} />
          <Table
            heads={['File', 'Line', 'Reason']}
            rows={dryRun.rejectedRows.map(({ file, line, reason }) => [file, formatCountLong(line), reason])}
          />
        </details>
      )}
      <details>
        <summary>Columns ({formatCountLong(dryRun.columns.length)})</summary>
        <Table
          heads={['Column of the file', 'Becomes']}
          rows={dryRun.columns.map(({ column, field }) => [column, field ?? 'not imported'])}
        />
      </details>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{children}</dd>
    </div>
  );
}

function Reasons({ of }: { of: DryRun['reasons'] }) {
  return (
    <ul>
      {of.map(({ reason, count }) => (
        <li key={reason}>
          {formatCountOf(count, 'rows')}: {reason}
        </li>
      ))}
    </ul>
  );
}

function Table({ heads, rows }: { heads: string[]; rows: string[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table-scroll" aria-label={heads.join(', ')} tabIndex={0}>
      <table class="import-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join('\n')}>
              {row.map((cell, index) => (
                <td key={heads[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function formatSeconds(seconds: number): string {
  return seconds < 120
    ? formatCountOf(seconds, 'seconds')
    : formatCountOf(Math.ceil(seconds / 60), 'minutes');
}
