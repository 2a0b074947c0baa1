import { type OperationId, rightOf } from '../../vocabulary/rights.ts';

/** Returns the `security` of an operation, as the OpenAPI document has it. */
export function securityOf(operation: OperationId): Record<string, string[]>[] {
  const right = rightOf(operation);
  if (right === 'open') return [];
  if (right === 'sender') return [{}, { apiKeyAuth: [] }];
  if (right === 'login' || (right !== 'user' && right.on === 'account' && right.isLogin))
    return [{ bearerAuth: [] }];
  const isPublic = right !== 'user' && right.on === 'website' && right.isPublic;
  return [{ bearerAuth: [] }, { apiKeyAuth: [] }, ...(isPublic ? [{}] : [])];
}

/** Returns a sentence about an operation's right for readers of the documentation. */
export function describeRight(operation: OperationId): string | undefined {
  const right = rightOf(operation);
  if (typeof right === 'string') return undefined;
  const needed = right.on === 'account' ? `in the account` : `on the website`;
  const isPublic = right.on === 'website' && right.isPublic;
  const sections = (right.on === 'website' && right.shows) || [];
  return [
    isPublic ? 'A public website answers without credentials.' : `Needs the role ${right.role} ${needed}.`,
    ...(sections.length > 0 ? [`Refused where ${sections.join(' or ')} are hidden from the caller.`] : []),
  ].join(' ');
}
