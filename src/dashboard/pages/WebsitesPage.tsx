import type { Overview } from '../../contract/metrics-overview.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { useTitle } from '../use-title.ts';

/** All websites at a glance. */
export function WebsitesPage() {
  useTitle('Websites');
  const { answer, fault, retry } = useAnswer('websites', (signal) =>
    call<Overview>('GET', '/stats/websites', { signal, query: { period: '7d', series: 'true' } }),
  );
  return (
    <Frame>
      <div class="page">
        <h1>Websites</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        <ul>
          {answer?.websites.map(({ websiteId, name, visitors }) => (
            <li key={websiteId}>
              <Link to={`/websites/${websiteId}`}>{name}</Link> {visitors}
            </li>
          ))}
        </ul>
      </div>
    </Frame>
  );
}
