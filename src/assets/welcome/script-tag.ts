import type { EventsPage } from '../../contract/event.ts';
import type { Website } from '../../contract/website.ts';
import { call, Refusal } from './api.ts';
import { create, element, part } from './dom.ts';
import type { Session } from './session.ts';

const POLL_MS = 2_000;
const EVENTS_SHOWN = 10;

type Options = { session: Session; onExpired: () => void };

/** Step 3: the script tag of a website, and its events as they come in. */
export function scriptStep({ session, onExpired }: Options) {
  const work = part(element('script'), '.work');
  let website: Website | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownTotal = -1;

  element('try').addEventListener('click', () => void sendTestEvent());
  document.addEventListener('visibilitychange', schedule);

  async function poll(): Promise<void> {
    const asked = website;
    if (!asked) return;
    try {
      const query = new URLSearchParams({ trackingCode: asked.trackingCode, limit: String(EVENTS_SHOWN) });
      const page = await call<EventsPage>('GET', `/events?${query}`, { token: session.token });
      if (asked === website) show(page);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return onExpired();
      if (asked === website) say(error instanceof Error ? error.message : String(error));
      shownTotal = -1;
    }
    schedule();
  }

  /** The next look; none while nobody looks at the page. */
  function schedule(): void {
    clearTimeout(timer);
    if (website && !document.hidden) timer = setTimeout(() => void poll(), POLL_MS);
  }

  function show({ events, pagination: { total } }: EventsPage): void {
    if (total === shownTotal) return;
    shownTotal = total;
    work.dataset.has = total > 0 ? 'events' : 'none';
    say(
      total === 0
        ? 'Waiting for the first event…'
        : `It works: ${total} ${total === 1 ? 'event' : 'events'}.`,
    );
    const list = element('events');
    list.hidden = total === 0;
    list.replaceChildren(...events.map(toItem));
  }

  function say(sentence: string): void {
    element('status').textContent = sentence;
  }

  async function sendTestEvent(): Promise<void> {
    if (!website) return;
    const id = crypto.randomUUID?.() ?? String(Math.random()); // absent on http pages of other hosts
    const { trackingCode, domain: url } = website;
    try {
      await call('POST', '/events', {
        body: {
          trackingCode,
          eventType: 'custom',
          url,
          sessionId: id,
          visitorId: id,
          properties: { name: 'test' },
        },
      });
      clearTimeout(timer);
      await poll();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    open(chosen: Website): void {
      website = chosen;
      shownTotal = -1;
      const { origin } = location;
      element('tag').textContent =
        `<script async src="${origin}/tracker.js" data-tracking-code="${chosen.trackingCode}"></script>`;
      const note = element('address-note');
      note.textContent = describeAddress(origin, chosen.domain);
      note.hidden = note.textContent === '';
      work.hidden = false;
      void poll();
    },
    close(): void {
      website = undefined;
      work.hidden = true;
      schedule();
    },
  };
}

type ListedEvent = EventsPage['events'][number];

function toItem({ createdAt, eventType, url, location, browser, deviceType }: ListedEvent): HTMLElement {
  const item = create('li', '');
  const time = create('time', new Date(createdAt).toLocaleTimeString());
  const sender = [location, browser, deviceType].filter(Boolean).join(' · ');
  item.append(
    time,
    create('span', eventType, 'type'),
    create('span', toPath(url), 'path'),
    create('span', sender, 'quiet'),
  );
  return item;
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Why a tag with this address may not work on that website; empty when nothing is in the way. */
function describeAddress(origin: string, domain: string): string {
  const { protocol, hostname } = new URL(origin);
  const isLocal = (name: string) => name === 'localhost' || name === '[::1]' || name.startsWith('127.');
  if (isLocal(hostname) && !isLocal(new URL(domain).hostname))
    return `${origin} is reached from this machine only. Open this page under the public address of the server, and the tag will hold that one.`;
  if (protocol === 'http:' && domain.toLowerCase().startsWith('https:'))
    return 'Browsers do not load a script over http into a page over https. Put this server behind https, and open this page there.';
  return '';
}
