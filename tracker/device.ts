import type { TrackerEvent } from './index.d.ts';

/**
 * The kind of device. Browser and system are left to the server, which reads them from the same user agent
 * (D22); but only the page can tell an iPad from the Mac that it pretends to be, by its touch screen.
 */
export const deviceType = ({ userAgent, maxTouchPoints }: Navigator): TrackerEvent['deviceType'] =>
  /^(?!.*iPad).*Mobi/.test(userAgent)
    ? 'mobile'
    : /iPad|Tablet|Android/.test(userAgent) || (maxTouchPoints > 1 && /Mac/.test(userAgent))
      ? 'tablet'
      : 'desktop';
