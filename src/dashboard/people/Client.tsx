import type { Visitor } from '../../contract/metrics/lists.ts';
import { Mark } from '../marks/Mark.tsx';
import { nameOfValue } from '../state/value-names.ts';
import { clientOf } from './origin.ts';

type Props = { of: Pick<Visitor, 'country' | 'browser' | 'os' | 'deviceType'> };

/**
 * A browser by the marks of its country, brand, system and device, and the name of its country. Screen readers and the
 * tooltip get the other names.
 */
export function Client({ of: client }: Props) {
  const { country, browser, os, deviceType } = client;
  const all = clientOf(client);
  return (
    <span title={all}>
      <span class="client-marks">
        <Mark dimension="country" value={country} />
        <Mark dimension="browser" value={browser} />
        <Mark dimension="os" value={os} />
        <Mark dimension="deviceType" value={deviceType} />
      </span>
      {country ? nameOfValue('country', country) : all}
      {country && <span class="unseen">: {clientOf({ ...client, country: null })}</span>}
    </span>
  );
}
