import { eq } from 'drizzle-orm';
import { withBusyRetry } from '../db/busy.ts';
import type { OpenDatabase } from '../db/open.ts';
import { users } from '../db/schema.ts';
import type { NewEvent } from '../events/event.ts';
import { createLocalLog } from '../events/local-log.ts';
import { createRemoteLog } from '../events/remote-log.ts';
import { createWebsites } from '../websites/service.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import { generateTraffic } from './traffic.ts';
import { toNewEvent } from './traffic-event.ts';

/** What the demo website is registered as: a domain that can be nobody's (RFC 2606). */
export const DEMO_DOMAIN = 'https://demo.example';
const DEMO_DAYS = 90;
const DEMO_EVENTS = 60_000;
const EVENTS_A_GROUP = 500;

export type Demo = {
  /** Adds the demo website to an account, with 90 days of invented traffic until now. @returns how many events */
  load(email: string): Promise<number>;
  /** Deletes it again. The running service removes its events. */
  remove(email: string): Promise<void>;
};

/**
 * A website with invented traffic to look at before there is any of one's own. An ordinary website otherwise, so
 * nothing of it mixes with real figures and it is deleted like any other.
 */
export function createDemo({ db, local }: OpenDatabase, now: () => number): Demo {
  const websites = createWebsites({ db, now });
  const log = local ? createLocalLog(local) : createRemoteLog(db.$client);
  return { load, remove };

  async function load(email: string): Promise<number> {
    const userId = await requireUserId(email);
    const { trackingCode } = await websites.create(userId, {
      name: 'Demo',
      domain: DEMO_DOMAIN,
      description: 'Invented traffic, to look around with. Delete it whenever you like.',
    });
    const website = await websites.findTracked(trackingCode);
    if (!website) throw new Error('The demo website was deleted while it was being loaded.');
    let count = 0;
    for (const group of groups(website)) {
      await withBusyRetry(() => log.append(group));
      count += group.length;
    }
    return count;
  }

  async function remove(email: string): Promise<void> {
    const userId = await requireUserId(email);
    const demo = (await websites.list(userId)).find(({ domain }) => domain === DEMO_DOMAIN);
    if (!demo) throw new Error(`${email} has no demo website.`);
    await websites.remove(userId, demo.id);
  }

  function* groups(website: TrackedWebsite): Generator<NewEvent[]> {
    let group: NewEvent[] = [];
    const traffic = generateTraffic({
      seed: website.key, // never given out twice, so the ids of the events are new as well
      websites: [{ domain: new URL(DEMO_DOMAIN).hostname, share: 1, pages: 200 }],
      days: DEMO_DAYS,
      events: DEMO_EVENTS,
      endMs: now(),
    });
    for (const event of traffic) {
      group.push(toNewEvent(event, website));
      if (group.length < EVENTS_A_GROUP) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }

  async function requireUserId(email: string): Promise<string> {
    const [user] = await db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.emailKey, email.trim().toLowerCase()))
      .limit(1);
    if (!user) throw new Error(`No account has the address ${email}.`);
    return user.id;
  }
}
