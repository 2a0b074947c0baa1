import type { WebsiteSettings } from '../../contract/website.ts';
import { PUBLIC_HIDES, type PublicHide, SMALL_ROW_VISITORS } from '../../vocabulary/contract.ts';
import { ownAddress } from '../browser/base-path.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { Check, Form } from '../components/Form.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';

type Props = {
  websiteId: string;
  settings: WebsiteSettings;
  onSave: (change: Partial<WebsiteSettings>) => Promise<void>;
};

export const HIDE_NAMES: Record<PublicHide, string> = {
  smallRows: `Rows and filter results with fewer than ${SMALL_ROW_VISITORS} visitors`,
  customEvents: 'Names of custom events',
  campaigns: 'Campaigns (utm parameters)',
};

/** Settings of the public dashboard: whether it exists, and what it hides. */
export function PublicCard({ websiteId, settings: { isPublic, publicHides }, onSave }: Props) {
  const address = `${ownAddress()}/public/${websiteId}`;
  return (
    <SettingsCard title="Public dashboard">
      <p>
        {isPublic
          ? 'Anyone with this link can see the reports.'
          : 'Let anyone with the link see the reports, without an account.'}
      </p>
      {isPublic && (
        <p class="copy-line">
          <a id="public-address" href={address} target="_blank" rel="noreferrer">
            {address}
          </a>
          <CopyButton text={address} sourceId="public-address" />
        </p>
      )}
      <p>
        The public sees the website's name, totals, page paths, host names, sources, campaigns, names of
        custom events, countries, cities, languages and devices. With filters and short periods, a single
        visitor can be followed from page to page. Sessions, visitors, properties and query strings stay
        private.
      </p>
      <Form
        action={isPublic ? 'Save' : 'Make public'}
        isKept
        kind={isPublic ? 'primary' : 'quiet'}
        onSend={(values) =>
          onSave({ isPublic: true, publicHides: PUBLIC_HIDES.filter((name) => values[name] === 'on') })
        }
        aside={
          isPublic && (
            <button type="button" class="quiet" onClick={() => void onSave({ isPublic: false })}>
              Make private
            </button>
          )
        }
      >
        <fieldset class="checks">
          <legend>Hide from the public</legend>
          {PUBLIC_HIDES.map((name) => (
            <Check key={name} name={name} isChecked={publicHides.includes(name)}>
              {HIDE_NAMES[name]}
            </Check>
          ))}
        </fieldset>
      </Form>
    </SettingsCard>
  );
}
