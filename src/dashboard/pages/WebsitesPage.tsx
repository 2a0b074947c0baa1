import { useState } from 'preact/hooks';
import type { Overview } from '../../contract/metrics/overview.ts';
import type { WebsiteList } from '../../contract/website.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import { RegistrationNote } from '../account/RegistrationCard.tsx';
import { call } from '../api/client.ts';
import { ALL_WEBSITES } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import type { PageProps } from '../browser/page-props.ts';
import { navigate } from '../browser/router.ts';
import { useTitle } from '../browser/use-title.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';
import { lazy } from '../components/lazy.tsx';
import { Menu } from '../components/Menu.tsx';
import { NotLoaded } from '../components/NotLoaded.tsx';
import { Problem } from '../components/Problem.tsx';
import { formatCount, formatCountLong, PAGE_LANGUAGE, unitOf } from '../state/format.ts';
import { PERIOD_NAMES } from '../state/ranges.ts';
import { WebsiteCard } from '../websites/WebsiteCard.tsx';

/** Loaded lazily, because most users have added their websites before. */
const AddWebsite = lazy(async () => (await import('../websites/AddWebsite.tsx')).AddWebsite, NotLoaded);
/** Ranges that make sense at a glance. */
const PERIODS = ['24h', '7d', '28d', '91d'] as const;
const FIRST_PERIOD = '7d';
const SORTS = {
  visitors: 'Most visitors',
  change: 'Largest change',
  name: 'Name',
  added: 'Date added',
} as const;
type Sort = keyof typeof SORTS;
const SORT_NAMES = Object.keys(SORTS) as Sort[]; // its keys
const FIRST_SORT: Sort = 'visitors';
/** Minimum websites for a search field. */
const SEARCHED_MIN = 6;
/** Maximum cards at first, each of which keeps asking for visitors now. */
const SHOWN_MAX = 60;
const EVERY_MS = MINUTE_MS;

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
  const { answer: list } = useAnswer('websites list', (signal) =>
    call<WebsiteList>('GET', '/websites', { signal }),
  );
  const roles = list && new Map(list.websites.map(({ id, role }) => [id, role]));
  const isEmpty = answer?.total === 0;
  const askedSort = new URLSearchParams(search).get('sort');
  const sort = SORT_NAMES.find((name) => name === askedSort) ?? FIRST_SORT;
  const [text, setText] = useState('');
  const [isAll, setAll] = useState(false);
  const found = arrange(answer?.websites ?? [], text, sort);

  return (
    <Frame>
      <div class={isEmpty ? 'page narrow' : 'page'}>
        <div class="page-head">
          <h1>{isEmpty ? 'Your first website' : 'Websites'}</h1>
          {!isEmpty && (
            <>
              <Periods period={period} sort={sort} />
              <button type="button" class="primary" onClick={() => setAdding(true)}>
                Add website
              </button>
            </>
          )}
        </div>
        <RegistrationNote />
        {fault && <Problem fault={fault} onRetry={retry} />}
        {isEmpty && <AddWebsite />}
        {answer && answer.websites.length > 1 && (
          <Tools answer={answer} period={period} sort={sort} text={text} onText={setText} />
        )}
        <ul class="websites" aria-busy={!answer}>
          {found.slice(0, isAll ? undefined : SHOWN_MAX).map((website) => (
            <WebsiteCard
              key={website.websiteId}
              website={website}
              period={period}
              role={roles?.get(website.websiteId)}
            />
          ))}
        </ul>
        {answer && text !== '' && found.length === 0 && (
          <p class="quiet-text">No website matches “{text}”.</p>
        )}
        {!isAll && found.length > SHOWN_MAX && (
          <p class="page-foot">
            <button type="button" class="quiet" onClick={() => setAll(true)}>
              Show all {formatCountLong(found.length)}
            </button>
          </p>
        )}
        {isAdding && <AddWebsite onClose={() => setAdding(false)} />}
      </div>
    </Frame>
  );
}

/** Choices of the address. */
type Chosen = { period: string; sort: Sort };

function Periods({ period, sort }: Chosen) {
  return (
    <nav class="segments" aria-label="Period">
      {PERIODS.map((name) => (
        <Link
          key={name}
          to={addressOf(name, sort)}
          aria-current={name === period ? 'true' : undefined}
          title={PERIOD_NAMES[name]}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

type ToolsProps = Chosen & {
  answer: Overview;
  /** Search text. */
  text: string;
  onText: (text: string) => void;
};

/** Totals of all websites, search and order. */
function Tools({ answer, period, sort, text, onText }: ToolsProps) {
  return (
    <div class="tools websites-tools">
      <p class="quiet-text websites-total number">{describeTotal(answer)}</p>
      <Link to={ALL_WEBSITES}>All as one</Link>
      {answer.websites.length >= SEARCHED_MIN && (
        <input
          type="search"
          class="search"
          placeholder="Search websites"
          aria-label="Search websites"
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
      <Menu label={SORTS[sort]} name={`Sort by: ${SORTS[sort]}`} align="end">
        {SORT_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === sort ? 'true' : undefined}
            onClick={() => navigate(addressOf(period, name))}
          >
            {SORTS[name]}
          </button>
        ))}
      </Menu>
    </div>
  );
}

function addressOf(period: string, sort: Sort): string {
  const parameters = new URLSearchParams();
  if (period !== FIRST_PERIOD) parameters.set('period', period);
  if (sort !== FIRST_SORT) parameters.set('sort', sort);
  return parameters.size > 0 ? `/?${parameters}` : '/';
}

type Website = Overview['websites'][number];

/** Websites whose name or domain contains the text, sorted; equal ones in the order they were added. */
function arrange(websites: readonly Website[], text: string, sort: Sort): Website[] {
  const wanted = text.trim().toLowerCase();
  const orders: Record<Sort, (one: Website, other: Website) => number> = {
    visitors: (one, other) => other.visitors - one.visitors,
    change: (one, other) => sizeOfChange(other) - sizeOfChange(one),
    name: (one, other) => one.name.localeCompare(other.name, PAGE_LANGUAGE, { numeric: true }),
    added: () => 0,
  };
  return websites
    .filter(({ name, domain }) => `${name} ${domain}`.toLowerCase().includes(wanted))
    .sort(orders[sort]);
}

const sizeOfChange = ({ comparison }: Website) => Math.abs(comparison?.change.visitors ?? 0);

/** Sums visits, not visitors, because visitors of two websites may be the same people. */
function describeTotal({ websites, total }: Overview): string {
  const visits = websites.reduce((sum, website) => sum + website.visits, 0);
  const pageviews = websites.reduce((sum, website) => sum + website.pageviews, 0);
  const parts = [
    [formatCountLong(total), 'websites'],
    [formatCount(visits), 'visits'],
    [formatCount(pageviews), 'pageviews'],
  ] as const;
  return parts.map(([figure, units]) => `${figure} ${unitOf(figure, units)}`).join(' · ');
}
