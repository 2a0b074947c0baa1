import type { ApiKeyScope } from '../vocabulary/contract.ts';

/** Author of a request, and the credential they used. */
export type Caller = {
  userId: string;
  email: string;
  credential:
    | { kind: 'login'; loginId: string; jti: string }
    | { kind: 'key'; keyId: string; scopes: ApiKeyScope[] };
};
