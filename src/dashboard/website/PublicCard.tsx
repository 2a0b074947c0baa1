import { PUBLIC_HIDES, type PublicHide, SMALL_ROW_VISITORS } from '../../contract/vocabulary.ts';
import type { WebsiteSettings } from '../../contract/website.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { Form } from '../components/Form.tsx';
import { ownAddress } from '../place.ts';

type Props = {
  websiteId: string;
  settings: WebsiteSettings;
  onSave: (change: Partial<WebsiteSettings>) => Promise<void>;
};

const HIDE_NAMES: Record<PublicHide, string> = {
  smallRows: `Rows, and answers to filters, of fewer than ${SMALL_ROW_VISITORS} visitors`,
  customEvents: 'Names of custom events',
  campaigns: 'Campaigns (utm parameters)',
};

/** Whether others see the figures, and what of them. */
export function PublicCard({ websiteId, settings: { isPublic, publicHides }, onSave }: Props) {
  const address = `${ownAddress()}/public/${websiteId}`;
  return (
    <section class="card settings-card">
      <h2>Public dashboard</h2>
      <p>
        {isPublic
          ? 'Anybody who has this address sees the figures.'
          : 'Show the figures to anybody who has the address, without an account.'}
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
        custom events, countries, languages and devices. With filters and short periods it can follow a single
        visitor from page to page. Sessions, visitors, properties and query strings stay yours alone.
      </p>
      <Form
        action={isPublic ? 'Save' : 'Make public'}
        isKept
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
            <label class="check" key={name}>
              <input type="checkbox" name={name} defaultChecked={publicHides.includes(name)} />{' '}
              {HIDE_NAMES[name]}
            </label>
          ))}
        </fieldset>
      </Form>
    </section>
  );
}
