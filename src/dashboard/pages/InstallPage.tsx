import { useId, useState } from 'preact/hooks';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ownAddress, toHref } from '../browser/base-path.ts';
import type { PageProps } from '../browser/page-props.ts';
import { useTitle } from '../browser/use-title.ts';
import { ChoiceButtons } from '../components/Choice.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { addressNote } from '../install/address-note.ts';
import { Listening } from '../install/Listening.tsx';
import { ownPaths } from '../install/own-paths.ts';
import { recipesFor, TRACKER_MODES, type TrackerMode } from '../install/recipes.ts';
import { usePage } from '../report/use-page.ts';
import { addressIn } from '../state/kept-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';
import { DemoOffer } from '../websites/DemoOffer.tsx';

/** Instructions to install the script, and the first events as they arrive. */
export function InstallPage(props: PageProps) {
  const { place, profile } = usePage(props);
  useTitle('Install the script');
  const { answer, fault, retry } = useAnswer(`website ${place.websiteId}`, (signal) =>
    call<Website>('GET', `/websites/${encodeURIComponent(place.websiteId)}`, { signal }),
  );
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page install">
        <h1>Add the script to {profile.answer?.name ?? 'your website'}</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <>
            <Recipes website={answer} />
            <Listening website={answer} place={place} />
          </>
        )}
        <p>
          <Link to={addressIn(place)}>Go to dashboard</Link>
        </p>
        {profile.answer?.firstEventAt === null && (
          <DemoOffer sentence="No visitors yet? Explore with demo data meanwhile." />
        )}
      </div>
    </WebsiteFrame>
  );
}

const MODE_NAMES: Record<TrackerMode, string> = {
  browser: 'An id',
  anonymous: 'Nothing',
  consent: 'An id after consent',
  session: 'An id for the tab',
};
/** Two sentences on each mode: what is counted, and what it requires. */
const MODE_NOTES: Record<TrackerMode, string> = {
  browser: 'Visitors are recognised when they return. Most countries of Europe require consent for this.',
  anonymous:
    'Visitors are counted by day, and no one is recognised on the next. This needs no consent banner for storage.',
  consent:
    'Visitors are counted by day until your page calls AnalyticsTracker.consent(true). From then on they are recognised.',
  session: 'Each browser tab is a visitor. Consent is required as for an id that lasts.',
};

function Recipes({ website }: { website: Website }) {
  const id = useId();
  const [mode, setMode] = useState<TrackerMode>('browser');
  const { trackingCode } = website;
  const recipes = recipesFor({ origin: ownAddress(), ...ownPaths(), trackingCode, mode });
  const [chosen, setChosen] = useState('html');
  const recipe = recipes.find((one) => one.id === chosen) ?? recipes[0];
  const note = addressNote(ownAddress(), website.domain);
  if (!recipe) return null;
  return (
    <section class="card install-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>1. The script</h2>
      {note && <p class="note">{note}</p>}
      <p>What should the script keep in the browser?</p>
      <ChoiceButtons
        label="What the script keeps in the browser"
        names={MODE_NAMES}
        among={TRACKER_MODES}
        value={mode}
        onChange={setMode}
      />
      <p class="quiet-text">
        {MODE_NOTES[mode]} <a href={toHref('/docs/privacy')}>What each mode requires</a>
      </p>
      <Tabs
        label="How your website is built"
        panelId={`${id}-recipe`}
        tabs={recipes.map((one) => ({ id: one.id, label: one.name }))}
        current={recipe.id}
        onChoose={setChosen}
      />
      <div id={`${id}-recipe`} role="tabpanel" aria-label={recipe.name}>
        <p>{recipe.where}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
        <pre tabIndex={0}>
          <code id={`${id}-code`}>{recipe.code}</code>
        </pre>
        <CopyButton text={recipe.code} sourceId={`${id}-code`} label="Copy code" />
        {recipe.note && <p class="quiet-text">{recipe.note}</p>}
      </div>
    </section>
  );
}
