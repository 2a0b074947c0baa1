import { Elysia, t } from 'elysia';
import type { AccessRules } from './access.ts';
import { isSetId, refuseSet } from './set-id.ts';

type Deps = { access: AccessRules };

/**
 * Gives the routes of the controller that uses it their `website`, that of the path's `id`, and the caller's `access` to it.
 * Derived before validation, so that 401 comes before 404 before 403 before 400.
 *
 * @param sentence the message of the 401
 */
export function openWebsite({ access }: Deps, sentence?: string) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveWebsite({ request, route, params }) {
    const operation = access.operationOf(request.method, route);
    const identity = await access.identify(operation, request, sentence);
    const id = pathText(params, 'id');
    if (isSetId(id)) refuseSet();
    const opened = await access.open(operation, identity, id);
    return { access: opened, website: opened.website };
  });
}

/** Gives routes whose path does not name the website the caller's `identity`, to open one with. */
export function identifyCallers({ access }: Deps) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveIdentity({ request, route }) {
    const operation = access.operationOf(request.method, route);
    return { operation, identity: await access.identify(operation, request) };
  });
}

/** Returns a path parameter. One that cannot be decoded arrives as null, and matches nothing. */
export function pathText(params: object, name: string): string {
  const text: unknown = name in params ? params[name as keyof typeof params] : '';
  return typeof text === 'string' ? text : '';
}

/** Path parameter of a website, which other parameters may follow. */
export const websiteId = { id: t.String({ description: 'id of the website.' }) };
/** Not validated: a malformed id is unknown (404), not wrong (400). */
export const WebsiteId = t.NoValidate(t.Object(websiteId));

export const REFUSALS = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
/** Additional refusals of routes that read a body. */
export const REFUSALS_OF_BODIES = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
] as const;
