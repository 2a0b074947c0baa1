import type { Overview } from '../../contract/metrics/overview.ts';
import type { Website } from '../../contract/website.ts';
import type { Period } from '../../vocabulary/contract.ts';
import { toPlace } from '../api/place.ts';
import { ChangeText } from '../charts/ChangeText.tsx';
import { Sparkline } from '../charts/Sparkline.tsx';
import { Link } from '../components/Link.tsx';
import { VisitorsNow } from '../overview/VisitorsNow.tsx';
import { formatChange, formatCount } from '../state/format.ts';
import { describeComparison, PERIOD_NAMES } from '../state/ranges.ts';

type Props = {
  website: Overview['websites'][number];
  period: Period;
  /** Role of the user; undefined while it loads. */
  role: Website['role'] | undefined;
};

/** A website at a glance: visitors, their change, and visitors now. */
export function WebsiteCard({ website, period, role = 'owner' }: Props) {
  const { websiteId, name, domain, visitors, comparison, series } = website;
  const place = toPlace(websiteId, false);
  return (
    <li class="card website-card">
      <h2>
        <Link to={`${place.base}?period=${period}`}>{name}</Link>
      </h2>
      <p class="quiet-text website-domain">
        <bdi>{domain.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</bdi>
        {role !== 'owner' && ` · shared with you, as ${role}`}
      </p>
      <Sparkline values={series?.points.map((point) => point.visitors) ?? []} />
      <p class="website-figures">
        <strong class="number">{formatCount(visitors)}</strong>{' '}
        <span class="quiet-text">
          {visitors === 1 ? 'visitor' : 'visitors'}
          <span class="unseen">, {PERIOD_NAMES[period].toLowerCase()}</span>
        </span>{' '}
        {comparison && (
          <span title={describeComparison(comparison)}>
            <ChangeText
              change={formatChange(
                comparison.change.visitors,
                visitors,
                Math.max(visitors, comparison.visitors),
              )}
              isBetterLow={false}
            />
            <span class="unseen"> {describeComparison(comparison)}</span>
          </span>
        )}
      </p>
      <div class="website-now">
        <VisitorsNow place={place} />
        {!/viewer|public/.test(role) && (
          <Link to={`${place.base}/settings`} class="icon-button" aria-label={`Settings of ${name}`}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.5v4M6 9.5v4" />
            </svg>
          </Link>
        )}
      </div>
    </li>
  );
}
