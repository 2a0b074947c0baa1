import { type OperationId, RIGHTS } from '../vocabulary/rights.ts';

type Route = { method: string; path: string; hooks: { detail?: { operationId?: string } } };

/** Finds the operation of a route, by the operation id that its documentation gives it. */
export function createOperations(routes: () => readonly Route[]) {
  let found: Map<string, OperationId> | undefined;

  return function operationOf(method: string, path: string): OperationId {
    found ??= new Map(
      routes().flatMap((route) => {
        const id = route.hooks.detail?.operationId;
        return isOperation(id) ? [[`${route.method} ${route.path}`, id]] : [];
      }),
    );
    const operation = found.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
    if (!operation) throw new Error(`${method} ${path} has no right.`);
    return operation;
  };
}

/** @throws Error when a route of the API has no right, or a right has no route */
export function requireRights(routes: readonly Route[]): void {
  const ids = routes.flatMap(({ path, hooks }) =>
    path.startsWith('/api/') ? [hooks.detail?.operationId ?? path] : [],
  );
  const without = ids.filter((id) => !isOperation(id));
  const unused = Object.keys(RIGHTS).filter((id) => !ids.includes(id));
  if (without.length > 0) throw new Error(`Routes without a right: ${without.join(', ')}.`);
  if (unused.length > 0) throw new Error(`Rights without a route: ${unused.join(', ')}.`);
}

function isOperation(id: string | undefined): id is OperationId {
  return id !== undefined && id in RIGHTS;
}
