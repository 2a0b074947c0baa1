/** Refusals of the contract, as status and body. */

export function refusal(status: number, error: string, message: unknown) {
  return { status, body: { error, message } };
}

/** The 409 of a name that another goal, segment or funnel has. */
export function nameTaken(one: string) {
  const message = `Another ${one} of this website has this name`;
  const details = { formErrors: [], fieldErrors: { name: [message] } };
  return { status: 409, body: { error: 'CONFLICT', message, details } };
}

/** The 400 of a body whose only faults are these. */
export function invalid(fieldErrors: Record<string, string[]>, formErrors: string[] = []) {
  return {
    status: 400,
    body: {
      error: 'VALIDATION_ERROR',
      message: 'Invalid request data',
      details: { formErrors, fieldErrors },
    },
  };
}

export const COMMON_FAULT = 'Password is one of the most common ones; choose another';
export const NO_CREDENTIALS = refusal(401, 'UNAUTHORIZED', 'Authentication required');
export const UNKNOWN_KEY = refusal(401, 'UNAUTHORIZED', 'The API key is unknown or has expired');
export const NO_WEBSITE = refusal(404, 'NOT_FOUND', 'Website not found');
