import { t } from 'elysia';
import { CHECK_CODES, CHECK_SEVERITIES, URL_LENGTH_MAX } from '../vocabulary/contract.ts';
import { choice, instant } from './types.ts';

/** POST /websites/:id/check. */
export const CheckInput = t.Object(
  {
    origin: t.String({
      maxLength: URL_LENGTH_MAX,
      pattern: '^https?:\\/\\/[^\\s\\/?#\\\\]+$',
      description: 'Origin of this service as browsers know it: what the script should be loaded from.',
      examples: ['https://meter.example.com'],
      'x-messages': { pattern: 'Must be an origin such as https://meter.example.com' },
    }),
  },
  { additionalProperties: true },
);
export type CheckInput = typeof CheckInput.static;

const Finding = t.Object(
  {
    code: choice(CHECK_CODES, { description: 'What was found.', examples: ['script-missing'] }),
    severity: choice(CHECK_SEVERITIES, {
      description:
        'problem: no figures until it is mended. warning: some figures may be missing. note: worth knowing. good: as it should be.',
      examples: ['problem'],
    }),
    message: t.String({
      description: 'A sentence for people.',
      examples: ['The page of https://example.com does not load the script.'],
    }),
    fix: t.Union([t.String(), t.Null()], {
      description: 'What to do about it; null when there is nothing to do.',
      examples: ['Put the script tag into the <head> of the page.'],
    }),
  },
  { title: 'CheckFinding', description: 'One thing that was found about the installation.' },
);
export type Finding = typeof Finding.static;

export const WebsiteCheck = t.Object(
  {
    checkedAt: instant('UTC, with milliseconds.'),
    findings: t.Array(Finding, { description: 'The gravest first.' }),
  },
  {
    title: 'WebsiteCheck',
    description: 'What is in the way of the first event, as far as a server can tell.',
  },
);
export type WebsiteCheck = typeof WebsiteCheck.static;
