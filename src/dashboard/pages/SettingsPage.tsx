import { useState } from 'preact/hooks';
import type { Website, WebsiteSettings } from '../../contract/website.ts';
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { forgetAnswers, useAnswer } from '../api/use-answer.ts';
import type { PageProps } from '../browser/page-props.ts';
import { navigate } from '../browser/router.ts';
import { useTitle } from '../browser/use-title.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Field, Form, LabelledControl } from '../components/Form.tsx';
import { Link } from '../components/Link.tsx';
import { Problem } from '../components/Problem.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { SettingsSections } from '../components/SettingsSections.tsx';
import { usePage } from '../report/use-page.ts';
import { CollectionCard } from '../settings/CollectionCard.tsx';
import { EraseCard } from '../settings/EraseCard.tsx';
import { HandOverCard } from '../settings/HandOverCard.tsx';
import { LinksCard } from '../settings/LinksCard.tsx';
import { PublicCard } from '../settings/PublicCard.tsx';
import { addressIn } from '../state/kept-view.ts';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';
import { toWebAddress } from '../websites/web-address.ts';

type Loaded = { website: Website; settings: WebsiteSettings };

/** Settings of a website: name, collection, public dashboard, erasure and deletion. */
export function SettingsPage(props: PageProps) {
  const { place, profile } = usePage(props);
  const path = `/websites/${encodeURIComponent(place.websiteId)}`;
  useTitle(`Settings of ${profile.answer?.name ?? 'a website'}`);
  const { answer, fault, retry } = useAnswer(`settings ${place.base}`, async (signal): Promise<Loaded> => {
    const [website, settings] = await Promise.all([
      call<Website>('GET', path, { signal }),
      call<WebsiteSettings>('GET', `${path}/settings`, { signal }),
    ]);
    return { website, settings };
  });

  const isAdmin = answer !== undefined && /admin|owner/.test(answer.website.role);

  async function save(change: () => Promise<unknown>): Promise<void> {
    await change();
    forgetAnswers(); // figures may depend on the change
    retry();
    profile.retry();
  }

  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page settings">
        <h1>Settings</h1>
        {fault && <Problem fault={fault} onRetry={retry} />}
        {answer && (
          <SettingsSections>
            <AboutForm loaded={answer} onSave={(body) => save(() => call('PUT', path, { body }))} />
            <CollectionCard
              settings={answer.settings}
              onSave={(body) => save(() => call('PATCH', `${path}/settings`, { body }))}
            />
            <PublicCard
              websiteId={answer.website.id}
              settings={answer.settings}
              onSave={(body) => save(() => call('PATCH', `${path}/settings`, { body }))}
            />
            {isAdmin && <LinksCard path={path} />}
            <SettingsCard title="Tracking script">
              <p>
                Tracking code <code>{answer.website.trackingCode}</code>
              </p>
              <Link to={addressIn(place, '/install')} class="quiet">
                How to install
              </Link>
            </SettingsCard>
            {isAdmin && (
              <SettingsCard title="Import history">
                <p>
                  Adds what another product has recorded, or an access log. It can be tried first, and undone.
                </p>
                <Link to={addressIn(place, '/import')} class="quiet">
                  Import a file
                </Link>
              </SettingsCard>
            )}
            {isAdmin && <EraseCard place={place} path={path} timezone={answer.settings.timezone} />}
            {answer.website.role === 'owner' && <HandOverCard website={answer.website} />}
            {isAdmin && <DeleteCard website={answer.website} path={path} />}
          </SettingsSections>
        )}
      </div>
    </WebsiteFrame>
  );
}

type AboutFormProps = { loaded: Loaded; onSave: (body: object) => Promise<void> };

function AboutForm({ loaded: { website }, onSave }: AboutFormProps) {
  return (
    <SettingsCard title="Website">
      <Form
        action="Save"
        isKept
        onSend={({ name = '', domain = '', description = '' }) =>
          onSave({ name, domain: toWebAddress(domain), description })
        }
      >
        <Field name="name" label="Name" value={website.name} maxLength={NAME_LENGTH_MAX} autocomplete="off" />
        <Field
          name="domain"
          label="Website URL"
          type="url"
          value={website.domain}
          maxLength={URL_LENGTH_MAX}
        />
        <LabelledControl name="description" label="Notes">
          {(attributes) => (
            <textarea rows={2} maxLength={DESCRIPTION_LENGTH_MAX} {...attributes}>
              {website.description}
            </textarea>
          )}
        </LabelledControl>
      </Form>
    </SettingsCard>
  );
}

function DeleteCard({ website, path }: { website: Website; path: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsCard title="Delete">
      <p>Deletes the website with all its events and reports.</p>
      <button type="button" class="quiet danger-text" onClick={() => setOpen(true)}>
        Delete website…
      </button>
      {isOpen && (
        <DangerDialog
          title={`Delete “${website.name}”?`}
          action="Delete permanently"
          onAct={async () => {
            await call('DELETE', path);
            forgetAnswers();
            announce(`${website.name} is deleted.`);
            navigate('/', { replace: true });
          }}
          onClose={() => setOpen(false)}
        >
          All its events are permanently deleted, and its tracking code stops working. Only a backup can bring
          them back.
        </DangerDialog>
      )}
    </SettingsCard>
  );
}
