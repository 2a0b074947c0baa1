import { useState } from 'preact/hooks';
import type { DemoLoaded, Website } from '../../contract/website.ts';
import { DEMO_DOMAIN } from '../../vocabulary/contract.ts';
import { ApiError, call } from '../api/client.ts';
import { navigate } from '../browser/router.ts';
import { Problem } from '../components/Problem.tsx';
import { browserTimezone } from './TimezoneField.tsx';

/** A button that opens the demo website, which is created first if there is none. */
export function DemoOffer({ sentence }: { sentence: string }) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiError>();

  async function open(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      navigate(`/websites/${(await loadDemo()).id}`);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(-1, 'BUG', String(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div class="demo-offer">
      <p class="quiet-text">{sentence}</p>
      <button type="button" class="quiet small" aria-busy={isBusy} onClick={() => void open()}>
        {isBusy ? 'Loading 90 days…' : 'Load demo data'}
      </button>
      {fault && <Problem fault={fault} />}
    </div>
  );
}

async function loadDemo(): Promise<Website> {
  try {
    const { website } = await call<DemoLoaded>('POST', '/demo');
    const body = { timezone: browserTimezone() };
    await call('PATCH', `/websites/${website.id}/settings`, { body });
    return website;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
    const { websites } = await call<{ websites: Website[] }>('GET', '/websites');
    const demo = websites.find(({ domain }) => domain === DEMO_DOMAIN);
    if (!demo) throw error;
    return demo;
  }
}
