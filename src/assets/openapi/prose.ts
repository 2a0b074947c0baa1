import { BATCH_BYTES_MAX, BODY_BYTES_MAX, SETTINGS_BYTES_MAX } from '../../vocabulary/contract.ts';

/** Introduction of the document, in Markdown. Blank lines separate paragraphs. */
export const INTRODUCTION = `Everything crosses the wire as JSON in UTF-8; a request with a body says \`Content-Type: application/json\`. Instants are ISO 8601 in UTC. Unknown fields of a request are ignored, but for those of queries in the form of Plausible. A parameter of an address that is empty counts as absent.

**Credentials.** Registering and logging in return an access token, sent as \`Authorization: Bearer <token>\` and valid for 7 days. Programs use an API key instead, as \`Authorization: Bearer pk_…\` or \`X-API-Key: pk_…\`; its scopes decide what it may do: \`read\` for GET requests, \`write\` for all others, \`events\` for submitting events of any age. Submitting events needs no credentials at all.

**Refusals.** Every answer that is not a success has the same body: \`error\`, a code for machines; \`message\`, a sentence for people; and for VALIDATION_ERROR \`details\`, with \`fieldErrors\` by the name of the field and \`formErrors\` about the input as a whole. An unknown address is 404 NOT_FOUND, a known one with the wrong method 405 METHOD_NOT_ALLOWED with \`Allow\`.

**Trying again.** 503 comes with \`Retry-After\`, and so does 429, the answer to a sender that asks for too much. The headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (in seconds) say what is left. Give each event an \`id\` of your own (a UUID), and it can be sent again whenever an answer got lost: it is stored once.

**Bounds.** A body has at most ${BODY_BYTES_MAX / 1024} KiB, the settings of a website ${SETTINGS_BYTES_MAX / 1024} KiB, a batch of events ${BATCH_BYTES_MAX / 1024 / 1024} MiB; beyond it is 413 PAYLOAD_TOO_LARGE. Bounds of fields are at the fields. Lengths count UTF-16 units, as JavaScript does. A request whose address and headers are more than 16 KiB is answered 431 without a body.`;

/** Groups of routes, in the order in which a new user needs them. */
export const TAGS = [
  { name: 'Accounts', description: 'Registering, logging in, and the keys for programs.' },
  { name: 'Websites', description: 'What is measured. Each website has a tracking code for its events.' },
  {
    name: 'Members',
    description:
      'Who else sees and manages the websites of an account, with which role, and who changed what.',
  },
  {
    name: 'Goals',
    description: 'What you want visitors to do. Counted over everything that is stored, the past included.',
  },
  {
    name: 'Saved',
    description: 'What is kept with a website to ask for its figures again, and to understand them.',
  },
  {
    name: 'Events',
    description: 'Submitting needs no credentials. Reading is for the owner of the website.',
  },
  {
    name: 'Metrics',
    description:
      'Figures of a website. Rates are parts from 0 to 1, durations seconds; a change is in percent. A public website answers some of them without credentials.',
  },
  { name: 'Health', description: 'For monitors and load balancers.' },
];
