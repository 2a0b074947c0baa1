import type { SessionDetail } from '../../contract/metrics/lists.ts';
import type { PageProps } from '../browser/page-props.ts';
import { Link } from '../components/Link.tsx';
import { Country, Facts } from '../people/Facts.tsx';
import { clientOf, shortId } from '../people/origin.ts';
import { Source } from '../people/Source.tsx';
import { usePage } from '../report/use-page.ts';
import { formatCountLong, formatDuration } from '../state/format.ts';
import { addressIn } from '../state/kept-view.ts';
import { formatInstant } from '../state/time-format.ts';
import { nameOfValue } from '../state/value-names.ts';
import { DetailPage } from './DetailPage.tsx';

/** One browser tab: where it came from and what it did, step by step. */
export function SessionPage(props: PageProps) {
  const page = usePage(props);
  return (
    <DetailPage
      page={page}
      kind="Session"
      id={props.parameters.sessionId ?? ''}
      events={['Path', 'Path']}
      showFacts={({ session }: SessionDetail, timezone) => (
        <Facts
          facts={[
            [
              'Visitor',
              <Link
                key="visitor"
                to={addressIn(page.place, `/visitors/${encodeURIComponent(session.visitorId)}`)}
              >
                {shortId(session.visitorId)}
              </Link>,
            ],
            ['Started', formatInstant(session.startedAt, timezone)],
            ['Duration', formatDuration(session.duration)],
            ['Source', <Source key="source" of={session} />],
            ['Channel', session.channel],
            ['Country', session.country && <Country key="country" code={session.country} />],
            ['Region', session.region && nameOfValue('region', session.region)],
            ['City', session.city && nameOfValue('city', session.city)],
            ['Browser', clientOf({ ...session, country: null })],
            ['Language', session.language && nameOfValue('language', session.language)],
            ['Screen', session.screen],
            ['Views', formatCountLong(session.pageviews)],
            ['Events', formatCountLong(session.events)],
          ]}
        />
      )}
    />
  );
}
