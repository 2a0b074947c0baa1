/** The date of an instant in a time zone: `2026-01-31`. */
export const dayOf = (at: string, timeZone: string) => new Date(at).toLocaleDateString('en-CA', { timeZone });
