import type { ApiKeyScope } from '../vocabulary/contract.ts';

/** Who makes a request, and what with. */
export type Caller = {
  userId: string;
  email: string;
  credential:
    | { kind: 'login'; loginId: string; jti: string }
    | { kind: 'key'; keyId: string; scopes: ApiKeyScope[] };
};
