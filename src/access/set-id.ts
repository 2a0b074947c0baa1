import { validationError } from '../vocabulary/errors.ts';

export const ALL_WEBSITES = 'all';

/** Whether the id in a path stands for several websites: `all`, or ids joined by commas. */
export function isSetId(id: string): boolean {
  return id === ALL_WEBSITES || id.includes(',');
}

/** @throws AppError VALIDATION_ERROR for a route that answers about one website */
export function refuseSet(): never {
  const fault = 'This is about one website: its answers cannot be added up. Ask about each website';
  throw validationError(fault, {}, [fault]);
}
