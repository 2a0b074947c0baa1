import type { Dashboard } from '../../contract/metrics-dashboard.ts';
import type { PageProps } from '../App.tsx';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Frame } from '../components/Frame.tsx';
import { Problem } from '../components/Problem.tsx';
import { useTitle } from '../use-title.ts';
import { useWebsite } from '../use-website.ts';
import { readViewState, toQuestion, toSearch } from '../view-state.ts';

/** The figures of one website. */
export function WebsitePage({ parameters, search }: PageProps) {
  const { websiteId = '' } = parameters;
  const view = readViewState(search);
  const website = useWebsite(websiteId);
  useTitle(website.answer?.name ?? 'Website');
  const { answer, fault, retry } = useAnswer(`dashboard ${websiteId} ${toSearch(view)}`, (signal) =>
    call<Dashboard>('GET', `/websites/${websiteId}/stats/dashboard`, { signal, query: toQuestion(view) }),
  );
  return (
    <Frame head={website.answer?.name}>
      <div class="page">
        {fault && <Problem fault={fault} onRetry={retry} />}
        <p>{answer?.totals.visitors} visitors</p>
      </div>
    </Frame>
  );
}
