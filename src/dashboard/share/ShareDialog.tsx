import { useState } from 'preact/hooks';
import type { ShareLink } from '../../contract/share-link.ts';
import { call } from '../api/client.ts';
import { download, type Place } from '../api/place.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { announce } from '../components/Announcer.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, Field, Form } from '../components/Form.tsx';
import { Link } from '../components/Link.tsx';
import { describeFilter } from '../state/describe-filter.ts';
import { addressIn } from '../state/kept-view.ts';
import { nameOfPeriod } from '../state/ranges.ts';
import { formatDays } from '../state/time-format.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';
import { MadeLink, toAddress } from './MadeLink.tsx';

type Props = { place: Place; view: ViewState; onClose: () => void };

/** Turns what is on the screen into a link, copies it, and offers the figures as a file. */
export function ShareDialog({ place, view, onClose }: Props) {
  const [made, setMade] = useState<{ link: ShareLink; search: string }>();
  const { filters = '[]', ...range } = toQuestion(view);

  async function make({ name, isFixed, password, expires, origins = '' }: Record<string, string>) {
    const link = await call<ShareLink>('POST', `/websites/${encodeURIComponent(place.websiteId)}/links`, {
      body: {
        name,
        filters: JSON.parse(filters),
        range: isFixed === 'on' ? toFixed(range) : null,
        password: password || null,
        expiresAt: expires || null,
        origins: origins.split(/[\s,]+/).filter(Boolean),
      },
    });
    const search = isFixed === 'on' ? '' : `?${new URLSearchParams(range as Record<string, string>)}`;
    await navigator.clipboard?.writeText(toAddress(link) + search).then(
      () => announce('Copied.'),
      () => {},
    );
    setMade({ link, search });
  }

  return (
    <Dialog title={made ? 'The link is ready' : 'Share these reports'} onClose={onClose}>
      {made ? (
        <MadeLink {...made} />
      ) : (
        <>
          <p>
            Anyone with the link sees this dashboard, read-only and without an account
            {view.filters.length > 0 && (
              <>
                . It shows only{' '}
                <strong>{view.filters.map((filter) => describeFilter(filter)).join(', ')}</strong>; readers
                cannot remove that
              </>
            )}
            .
          </p>
          <Form
            action="Create and copy link"
            fieldOf={{ expiresAt: 'expires', range: 'isFixed', filters: 'name' }}
            onSend={make}
            aside={
              <ActionButton onAct={() => download(place, '/stats/dashboard', toQuestion(view))}>
                Download CSV
              </ActionButton>
            }
          >
            <Field name="name" label="Name of the link" value={toName(view)} hint="Only you see it." />
            <Check name="isFixed">
              Only this period:{' '}
              {view.from ? formatDays(view.from, view.to ?? view.from) : nameOfPeriod(view.period)}
            </Check>
            <details>
              <summary>Password, expiry, embedding</summary>
              <Field name="password" label="Password" autocomplete="new-password" hint="Empty: none." />
              <Field
                name="expires"
                label="Closed from"
                placeholder="2027-01-31"
                hint="A date. Empty: never."
              />
              <Field
                name="origins"
                label="Websites that may embed it"
                placeholder="https://client.example"
                hint="Origins, separated by spaces. Empty: none."
              />
            </details>
          </Form>
          <p class="quiet-text">
            <Link to={`${addressIn(place, '/settings')}#share-links`}>All links</Link> are in the settings. An
            image of the chart is in its menu.
          </p>
        </>
      )}
    </Dialog>
  );
}

function toName(view: ViewState): string {
  const what = view.filters.map(({ values }) => values.join(', ')).join(', ');
  return (what || 'Everyone').slice(0, 60);
}

function toFixed({ period, from, to }: { period?: string; from?: string; to?: string | undefined }) {
  return from ? { from: from.slice(0, 10), to: (to ?? from).slice(0, 10) } : { period };
}
