import type { Visitor } from '../../contract/metrics-lists.ts';
import { Mark } from '../marks/Mark.tsx';
import { clientOf } from './origin.ts';

type Props = { of: Pick<Visitor, 'country' | 'browser' | 'os' | 'deviceType'> };

/** What is known of a browser, with the marks of its country, itself, its system and its device before the words. */
export function Client({ of: client }: Props) {
  const { country, browser, os, deviceType } = client;
  return (
    <>
      <span class="client-marks">
        <Mark dimension="country" value={country} />
        <Mark dimension="browser" value={browser} />
        <Mark dimension="os" value={os} />
        <Mark dimension="deviceType" value={deviceType} />
      </span>
      {clientOf(client)}
    </>
  );
}
