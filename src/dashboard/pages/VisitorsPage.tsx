import type { VisitorList } from '../../contract/metrics/lists.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Client } from '../people/Client.tsx';
import { shortId } from '../people/origin.ts';
import { formatCountOf } from '../state/format.ts';
import { PeoplePage } from './PeoplePage.tsx';

/** List of visitors. */
export function VisitorsPage(props: PageProps) {
  return (
    <PeoplePage
      {...props}
      list="visitors"
      title="Visitors"
      none="No visitors found."
      toRows={({ visitors }: VisitorList) => visitors.map(toRow)}
    />
  );
}

function toRow(visitor: VisitorList['visitors'][number]) {
  const { visitorId, visits, pageviews } = visitor;
  return {
    id: visitorId,
    label: shortId(visitorId),
    title: visitorId,
    facts: [<Client key="client" of={visitor} />],
    figures: `${formatCountOf(visits, 'visits')} · ${formatCountOf(pageviews, 'views')}`,
    events: visitor.events,
    matched: visitor.matched,
    lastAt: visitor.matched?.lastAt ?? visitor.lastSeenAt,
  };
}
