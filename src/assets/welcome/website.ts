import type { Website, WebsiteList } from '../../contract/website.ts';
import { call } from './api.ts';
import { create, element, part } from './dom.ts';
import { onSubmit } from './form.ts';
import type { Session } from './session.ts';

type Options = { session: Session; onChosen: (website: Website) => void; onOther: () => void };

/** Step 2: add a website, or choose one that is there. */
export function websiteStep({ session, onChosen, onOther }: Options) {
  const step = element('website');
  const form = part(step, 'form', HTMLFormElement);
  const known = part(step, '.known');

  onSubmit(form, async ({ name, domain }) => {
    const website = await call<Website>('POST', '/websites', {
      token: session.token,
      body: { name, domain: withScheme(domain ?? '') },
    });
    form.reset();
    choose(website);
  });
  element('other').addEventListener('click', () => {
    onOther();
    void open();
  });

  function choose(website: Website): void {
    element('chosen').textContent = website.name;
    element('chosen-domain').textContent = website.domain;
    show(false);
    onChosen(website);
  }

  /** Asks which website: those of the account to choose from, and the form for another. */
  async function open(): Promise<void> {
    show(true);
    const { websites } = await call<typeof WebsiteList.static>('GET', '/websites', { token: session.token });
    known.hidden = websites.length === 0;
    element('websites').replaceChildren(...websites.map(toItem));
  }

  function toItem(website: Website): HTMLElement {
    const item = create('li', '');
    const button = create('button', website.name, 'plain');
    button.addEventListener('click', () => choose(website));
    item.append(button, ' ', create('span', website.domain, 'quiet'));
    return item;
  }

  function show(isOpen: boolean): void {
    form.hidden = !isOpen;
    known.hidden = true;
    part(step, '.done').hidden = isOpen;
  }

  return {
    open,
    close(): void {
      form.hidden = true;
      known.hidden = true;
      part(step, '.done').hidden = true;
    },
  };
}

/** `example.com` as people type it. */
function withScheme(address: string): string {
  const trimmed = address.trim();
  return trimmed === '' || /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
}
