import type { SessionList } from '../../contract/metrics/lists.ts';
import { toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Client } from '../people/Client.tsx';
import { Source } from '../people/Source.tsx';
import { formatCountOf, formatDuration } from '../state/format.ts';
import { PeoplePage } from './PeoplePage.tsx';

/** List of sessions. */
export function SessionsPage(props: PageProps) {
  return (
    <PeoplePage
      {...props}
      list="sessions"
      title="Sessions"
      about={
        <>
          A session is one browser tab. A visit in your reports may span several tabs, so the two numbers
          differ. <a href={toHref('/docs/definitions')}>Definitions</a>
        </>
      }
      none="No sessions found."
      toRows={({ sessions }: SessionList) => sessions.map(toRow)}
    />
  );
}

function toRow(session: SessionList['sessions'][number]) {
  const { entryPage, exitPage, pageviews } = session;
  return {
    id: session.sessionId,
    label: (entryPage ?? 'No pageviews') + (exitPage && exitPage !== entryPage ? ` → ${exitPage}` : ''),
    facts: [<Client key="client" of={session} />, <Source key="source" of={session} />],
    figures: `${formatCountOf(pageviews, 'views')} · ${formatDuration(session.duration)}`,
    events: session.events,
    matched: session.matched,
    lastAt: session.matched?.lastAt ?? session.lastActivityAt,
  };
}
