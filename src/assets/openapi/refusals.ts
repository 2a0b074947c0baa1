import { ErrorBody } from '../../contract/fault.ts';
import {
  BATCH_BYTES_MAX,
  BODY_BYTES_MAX,
  ERROR_STATUS,
  type ErrorCode,
  SETTINGS_BYTES_MAX,
} from '../../vocabulary/contract.ts';
import { toReadableSchema } from './schemas.ts';
import type { Components, Header, Reference, Response } from './shapes.ts';

type Refusal = { description: string; message: string; headers?: Record<string, Header> };

const retryAfter: Record<string, Header> = {
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
};

/** Meaning of each error code. The document has one response per code, which routes refer to. */
const REFUSALS: Record<ErrorCode, Refusal> = {
  VALIDATION_ERROR: {
    description: 'The input is not accepted. `details` names each faulty field and what is wrong with it.',
    message: 'Invalid request data',
  },
  UNAUTHORIZED: {
    description: 'Credentials are missing, wrong, expired or revoked.',
    message: 'Authentication required',
    headers: {
      'WWW-Authenticate': {
        description: 'The scheme that is accepted (RFC 9110).',
        schema: { type: 'string', const: 'Bearer' },
      },
    },
  },
  FORBIDDEN: {
    description:
      'The caller is known but may not do this: the account is inactive, the API key lacks the scope or is not accepted here, or registration is closed.',
    message: 'Account is inactive',
  },
  NOT_FOUND: {
    description: 'It does not exist, or belongs to another account: the two are not told apart.',
    message: 'Website not found',
  },
  METHOD_NOT_ALLOWED: {
    description: 'The address exists, but not with this method.',
    message: 'This address answers GET, HEAD, OPTIONS',
    headers: {
      Allow: { description: 'The methods that it answers.', schema: { type: 'string' } },
    },
  },
  CONFLICT: {
    description: 'It exists already, or there are as many as there can be.',
    message: 'This domain is already registered for your account',
  },
  PAYLOAD_TOO_LARGE: {
    description: `The body is over its bound: ${BATCH_BYTES_MAX} bytes for a batch of events, ${SETTINGS_BYTES_MAX} for the settings of a website, ${BODY_BYTES_MAX} for everything else.`,
    message: `The body must be at most ${BODY_BYTES_MAX} bytes`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    description: 'The body is not declared as `application/json`.',
    message: 'Content-Type must be application/json',
  },
  RATE_LIMITED: {
    description: 'Too much from one sender, or for one website. Nothing was done; try again later.',
    message: 'Too many requests from this address; try again in 5 s',
    headers: {
      ...retryAfter,
      'RateLimit-Limit': {
        description: 'What the sender may ask for at once.',
        schema: { type: 'integer', minimum: 1, examples: [5_000] },
      },
      'RateLimit-Remaining': {
        description: 'What is left of it.',
        schema: { type: 'integer', minimum: 0, examples: [0] },
      },
      'RateLimit-Reset': {
        description: 'Seconds until all of it is there again.',
        schema: { type: 'integer', minimum: 0, examples: [5] },
      },
    },
  },
  INTERNAL_ERROR: {
    description: 'A fault of the service. Details are in its log only.',
    message: 'Internal server error',
  },
  SERVICE_UNAVAILABLE: {
    description:
      'Too busy, the disk is nearly full, or the database cannot be written at the moment. Nothing was stored; try again.',
    message: 'The database cannot take this at the moment',
    headers: retryAfter,
  },
};

/** Refers to the response of a code, and adds it to the components. */
export function referToRefusal(code: ErrorCode, components: Components): Reference {
  components.responses[code] ??= toResponse(code, components);
  return { $ref: `#/components/responses/${code}` };
}

/**
 * Response of all operations: the server rejects the request before the application sees it, so there is neither a code nor
 * a body.
 */
export function referToHeadTooLarge({ responses }: Components): Reference {
  responses.HeadTooLarge ??= {
    description:
      'Status 431: the address and the headers of the request are more than 16 KiB together. Without a body.',
  };
  return { $ref: '#/components/responses/HeadTooLarge' };
}

export function codeOfStatus(status: string): ErrorCode | undefined {
  // Keys of the table are its codes.
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  return codes.find((code) => ERROR_STATUS[code] === Number(status));
}

function toResponse(code: ErrorCode, components: Components): Response {
  const { description, message, headers } = REFUSALS[code];
  const details = { formErrors: [], fieldErrors: { email: ['Required'] } };
  return {
    description: `\`${code}\` ${description}`,
    ...(headers && { headers }),
    content: {
      'application/json': {
        schema: toReadableSchema(ErrorBody, components.schemas),
        example: { error: code, message, ...(code === 'VALIDATION_ERROR' && { details }) },
      },
    },
  };
}
