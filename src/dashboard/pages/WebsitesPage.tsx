import { useState } from 'preact/hooks';
import type { Overview } from '../../contract/metrics-overview.ts';
import { RegistrationNote } from '../account/RegistrationCard.tsx';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import type { PageProps } from '../page-props.ts';
import { useTitle } from '../use-title.ts';
import { PERIOD_NAMES } from '../website/ranges.ts';
import { AddWebsite } from '../websites/AddWebsite.tsx';
import { WebsiteCard } from '../websites/WebsiteCard.tsx';

/** Ranges that make sense at a glance. */
const PERIODS = ['24h', '7d', '28d', '91d'] as const;
const FIRST_PERIOD = '7d';
const EVERY_MS = 60_000;

/** All websites at a glance. */
export function WebsitesPage({ search }: PageProps) {
  useTitle('Websites');
  const [isAdding, setAdding] = useState(false);
  const asked = new URLSearchParams(search).get('period');
  const period = PERIODS.find((name) => name === asked) ?? FIRST_PERIOD;
  const { answer, fault, retry } = useAnswer(
    `websites ${period}`,
    (signal) =>
      call<Overview>('GET', '/stats/websites', {
        signal,
        query: { period, compare: 'previous', compareMatch: 'weekday', series: true },
      }),
    { everyMs: EVERY_MS },
  );
  const isEmpty = answer?.total === 0;

  return (
    <Frame>
      <div class={isEmpty ? 'page narrow' : 'page'}>
        <div class="page-head">
          <h1>{isEmpty ? 'Your first website' : 'Websites'}</h1>
          {!isEmpty && (
            <>
              <nav class="segments" aria-label="Period">
                {PERIODS.map((name) => (
                  <Link
                    key={name}
                    to={name === FIRST_PERIOD ? '/' : `/?period=${name}`}
                    aria-current={name === period ? 'true' : undefined}
                    title={PERIOD_NAMES[name]}
                  >
                    {name}
                  </Link>
                ))}
              </nav>
              <button type="button" class="primary" onClick={() => setAdding(true)}>
                Add website
              </button>
            </>
          )}
        </div>
        <RegistrationNote />
        {fault && <Problem fault={fault} onRetry={retry} />}
        {isEmpty && <AddWebsite />}
        <ul class="websites" aria-busy={!answer}>
          {answer?.websites.map((website) => (
            <WebsiteCard key={website.websiteId} website={website} period={period} />
          ))}
        </ul>
        {isAdding && <AddWebsite onClose={() => setAdding(false)} />}
      </div>
    </Frame>
  );
}
