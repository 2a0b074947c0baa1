import { API_PREFIX } from '../../contract/vocabulary.ts';

/** What the server refused, in its own words. */
export class Refusal extends Error {
  readonly status: number;
  readonly fieldErrors: Record<string, string[]>;
  constructor(status: number, message: string, fieldErrors: Record<string, string[]> = {}) {
    super(message);
    this.status = status;
    this.fieldErrors = fieldErrors;
  }
}

type Call = { token?: string | undefined; body?: unknown };

/**
 * One request to the API. `Answer` is what the contract says of the route.
 *
 * @throws Refusal also when the server cannot be reached (status 0)
 */
export async function call<Answer>(
  method: string,
  path: string,
  { token, body }: Call = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(API_PREFIX + path, {
      method,
      credentials: 'omit',
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal(0, 'The server does not answer. Is it running?');
  }
  // A proxy in between may answer with something else than JSON.
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const message = answer.message ?? `The server answered ${response.status}`;
  throw new Refusal(response.status, message, answer.details?.fieldErrors);
}
