import { toUnicode } from 'punycode/';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import { navigate } from '../browser/router.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field, Form } from '../components/Form.tsx';
import { DemoOffer } from './DemoOffer.tsx';
import { browserTimezone, TimezoneField } from './TimezoneField.tsx';
import { toWebAddress } from './web-address.ts';

/** Registers a website, then shows how to install its script. A dialog when it can be closed. */
export function AddWebsite({ onClose }: { onClose?: () => void }) {
  const form = (
    <>
      <Form
        action="Add website"
        onSend={async ({ name = '', domain = '', timezone }) => {
          const website = await createWebsite({ name, domain, timezone });
          navigate(`/websites/${website.id}/install`);
        }}
      >
        <WebsiteFields />
      </Form>
      <DemoOffer sentence="Or explore with demo data first." />
    </>
  );
  if (!onClose) return form;
  return (
    <Dialog title="Add a website" onClose={onClose}>
      {form}
    </Dialog>
  );
}

/** Fields of a new website. */
export function WebsiteFields() {
  return (
    <>
      <Field
        name="domain"
        label="Website URL"
        type="url"
        autocomplete="url"
        maxLength={2_048}
        placeholder="https://example.com"
      />
      <Field
        name="name"
        label="Name"
        autocomplete="off"
        maxLength={100}
        hint="Shown in your list. Leave empty to use the host name."
      />
      <TimezoneField value={browserTimezone()} />
    </>
  );
}

type NewWebsite = { name: string; domain: string; timezone: string | undefined };

/**
 * Registers a website whose days are those of a time zone.
 *
 * @throws ApiError naming the fields `domain`, `name` or `timezone`
 */
export async function createWebsite(
  { name, domain, timezone }: NewWebsite,
  token?: string,
): Promise<Website> {
  const login = token === undefined ? {} : { token };
  const address = toWebAddress(domain);
  const website = await call<Website>('POST', '/websites', {
    ...login,
    body: { name: name.trim() || nameOf(address), domain: address },
  });
  if (timezone) await call('PATCH', `/websites/${website.id}/settings`, { ...login, body: { timezone } });
  return website;
}

/** `https://www.example.com/` → `example.com`, as people read it. The service rejects what is not an address. */
export function nameOf(address: string): string {
  try {
    return toUnicode(new URL(address).hostname).replace(/^www\./, '') || address;
  } catch {
    return address || '-';
  }
}
