import type { ComponentChildren } from 'preact';
import { Mark } from '../marks/Mark.tsx';
import { nameOfValue } from '../state/value-names.ts';

export function Country({ code }: { code: string }) {
  return (
    <>
      <span class="client-marks">
        <Mark dimension="country" value={code} />
      </span>
      {nameOfValue('country', code)}
    </>
  );
}

/** Names and values of facts; unknown ones are left out. */
export function Facts({ facts }: { facts: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
