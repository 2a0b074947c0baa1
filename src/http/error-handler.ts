import { Elysia, NotFoundError, ValidationError } from 'elysia';
import type { ErrorBody } from '../contract/fault.ts';
import { AppError, unavailableError } from '../vocabulary/errors.ts';
import { bodyFault } from './bodies.ts';
import { toFaultDetails } from './field-errors.ts';
import { methodsOf, pathOf } from './path.ts';

type Options = {
  routes: () => readonly { method: string; path: string }[];
  /** Says whether the database refuses to work for now: locked, full, read-only. */
  isDatabaseRefusal: (error: unknown) => boolean;
  /** Called with our own bugs, and with refusals of the database. */
  onInternalError: (error: unknown) => void;
  /** Renders the page for an unknown address. */
  showUnknown?: (request: Request) => Promise<Response>;
};

/**
 * The one place that turns failures into HTTP. What is not an AppError, a refused input or an unknown route is our
 * own bug: it is logged and answered without a word of its message, whatever NODE_ENV says.
 */
export function errorHandler(options: Options) {
  return new Elysia({ name: 'error-handler' }).onError({ as: 'global' }, ({ error, request, set }) => {
    const appError = toAppError(error, request, options);
    set.status = appError.status;
    Object.assign(set.headers, appError.headers);
    const body = toErrorBody(appError);
    if (!(error instanceof NotFoundError && options.showUnknown && isPage(request, options))) return body;
    return options.showUnknown(request).catch(() => body); // the pages could not be built
  });
}

/** Returns whether a browser opens an unknown address. Programs, and callers of the API, receive JSON. */
function isPage(request: Request, { routes }: Options): boolean {
  const path = pathOf(request);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isForPeople = request.headers.get('accept')?.includes('text/html') && !path.startsWith('/api/');
  return isRead && Boolean(isForPeople) && methodsOf(routes(), path).length === 0;
}

function toErrorBody({ code, message, details }: AppError): ErrorBody {
  return { error: code, message, ...(details && { details }) };
}

/** For what escapes the application altogether, for example `throw null`. */
export function internalErrorResponse(): Response {
  return Response.json(toErrorBody(internalError()), { status: 500 });
}

function toAppError(error: unknown, request: Request, options: Options): AppError {
  if (error instanceof AppError) {
    if (error.code === 'INTERNAL_ERROR') options.onInternalError(error.cause ?? error);
    return error;
  }
  if (error instanceof NotFoundError) return unknownRoute(request, options);
  if (error instanceof ValidationError && error.type !== 'response') {
    const fault = error.type === 'body' ? bodyFault(request) : undefined;
    return fault ?? invalidInput(error);
  }
  if (error instanceof Error && error.cause instanceof AppError) return error.cause; // Elysia wraps what parsing throws
  options.onInternalError(error);
  return options.isDatabaseRefusal(error)
    ? unavailableError('The database cannot take this at the moment', DATABASE_RETRY_S)
    : internalError();
}

function internalError(): AppError {
  return new AppError('INTERNAL_ERROR', 'Internal server error');
}

function invalidInput(error: ValidationError): AppError {
  // The value is typed by the route's schema; here it is only looked at.
  const { validator, value } = error as {
    validator: { Errors(value: unknown): Iterable<never> };
    value: unknown;
  };
  const details = toFaultDetails(validator.Errors(value));
  return new AppError('VALIDATION_ERROR', 'Invalid request data', { details });
}

function unknownRoute(request: Request, { routes }: Options): AppError {
  const methods = methodsOf(routes(), pathOf(request));
  if (methods.length === 0) return new AppError('NOT_FOUND', 'Route not found');
  return new AppError('METHOD_NOT_ALLOWED', `This address answers ${methods.join(', ')}`, {
    headers: { Allow: methods.join(', ') },
  });
}

const DATABASE_RETRY_S = 5;
