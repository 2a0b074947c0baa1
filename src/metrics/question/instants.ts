/** Maximum length of an instant in a request; time/range parses it. */

export const INSTANT_LENGTH_MAX = 64;
export const INSTANT_FORM =
  'Must be a date such as 2026-11-20, a time such as 2026-11-20T13:00, or milliseconds since the epoch; from the year 1970 on';
