import { readShareToken } from '../accounts/credential.ts';
import { unauthorizedError } from '../accounts/refusals.ts';
import {
  AUTHENTICATION_REQUIRED,
  type Caller,
  identifyCaller,
  identifyLogin,
} from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Db } from '../db/open.ts';
import type { shareLinks, websites } from '../db/schema.ts';
import { type Hide, includesRole, type Role, SECTIONS } from '../vocabulary/access.ts';
import { SHARED_WEBSITE } from '../vocabulary/contract.ts';
import { AppError } from '../vocabulary/errors.ts';
import { type OperationId, rightOf, type WebsiteRight } from '../vocabulary/rights.ts';
import { createOperations } from './operations.ts';
import { hiddenError, roleTooSmallError } from './refusals.ts';
import { createSeats } from './seats.ts';

type WebsiteRow = typeof websites.$inferSelect;
type LinkRow = typeof shareLinks.$inferSelect;

/** Author of a request about a website. `refusal`: the 401 when no public website is found for an anonymous one. */
export type Identity =
  | { kind: 'user'; userId: string }
  | { kind: 'link'; userId?: undefined; link: LinkRow }
  | { kind: 'anonymous'; userId?: undefined; refusal: AppError };

/** Rights of a caller on a website. Every answer about it depends on these, and on nothing else of the caller. */
export type Access = {
  website: WebsiteRow;
  /** `public`: the caller has no role. Goals, segments and annotations are then those that have `isPublic`. */
  role: Role | 'public';
  /** The account that asks; undefined without credentials. */
  userId: string | undefined;
  /** Data that are hidden from the caller: enforced around the engine, and where filters are read. */
  hides: readonly Hide[];
  /** Share link by which the caller sees the website; its filter is enforced around the engine. */
  link?: LinkRow;
};

/** Rights of a caller in an account. */
export type AccountAccess = { accountId: string; role: Role; caller: Caller };

/** Finds the website of a request, of any account. @param userId the caller; undefined without credentials */
type Locate = (userId: string | undefined) => Promise<WebsiteRow | undefined>;

type Deps = {
  db: Db;
  accounts: Accounts;
  /** Finds a website of any account. */
  findWebsite: (id: string) => Promise<WebsiteRow | undefined>;
  findWebsiteByKey: (key: number) => Promise<WebsiteRow | undefined>;
  links: {
    /** @throws AppError UNAUTHORIZED */
    open(token: string): Promise<LinkRow>;
    noteUse(link: LinkRow, isOpened: boolean): void;
  };
  routes: Parameters<typeof createOperations>[0];
};

export type AccessRules = ReturnType<typeof createAccess>;

/**
 * Decides what callers may do: nothing else in the service does. A request is *identified* (who asks), then it *opens* a
 * website (what they may do there). Kinds of callers are the owner of a website, a person with a role, the API key of
 * either, a share link, and the public. A further kind is one more `Identity`, and a branch of `open` with its own `hides`.
 */
export function createAccess({ db, accounts, findWebsite, findWebsiteByKey, links, routes }: Deps) {
  const seats = createSeats(db);
  const operationOf = createOperations(routes);

  /**
   * @param sentence the message of the 401
   * @throws AppError 401 without valid credentials, 403 for an inactive account or a missing scope of an API key
   */
  async function identify(
    operation: OperationId,
    request: Request,
    sentence = AUTHENTICATION_REQUIRED,
  ): Promise<Identity> {
    const right = requireWebsiteRight(operation);
    const token = readShareToken(request.headers);
    if (token !== undefined) {
      const link = await links.open(token);
      links.noteUse(link, operation === 'getWebsiteProfile'); // the page asks for it once
      return { kind: 'link', link };
    }
    const isAnonymous = !request.headers.has('authorization') && !request.headers.has('x-api-key');
    if (isAnonymous && right.isPublic) return { kind: 'anonymous', refusal: unauthorizedError(sentence) };
    const { userId } = await identifyCaller(accounts, request, sentence, right);
    return { kind: 'user', userId };
  }

  /**
   * Decides whether a caller may carry out an operation on a website.
   *
   * @throws AppError 404 without any right, 403 for a role that is too small, or when what is asked for is hidden
   */
  async function open(
    operation: OperationId,
    identity: Identity,
    locate: string | Locate,
    notFound = 'Website not found',
  ): Promise<Access> {
    const right = requireWebsiteRight(operation);
    if (identity.kind === 'link') return openLink(identity.link, right, locate, notFound);
    const { kind, userId } = identity;
    const website = typeof locate === 'string' ? await findWebsite(locate) : await locate(userId);
    const role = website && (await findRole(website, userId));
    if (website && role) return requireRight({ website, userId, ...role }, right);
    if (website?.isPublic && right.isPublic)
      return { website, role: 'public', userId, hides: [...website.publicHides, ...SECTIONS] };
    throw kind === 'anonymous' ? identity.refusal : new AppError('NOT_FOUND', notFound);
  }

  /** A link shows what a public website shows, with what the link hides. */
  async function openLink(
    link: LinkRow,
    right: WebsiteRight,
    locate: string | Locate,
    notFound: string,
  ): Promise<Access> {
    const website = await findWebsiteByKey(link.websiteKey);
    if (!website || (locate !== SHARED_WEBSITE && locate !== website.id))
      throw new AppError('NOT_FOUND', notFound);
    if (!right.isPublic) throw new AppError('FORBIDDEN', 'A share link does not show this');
    const shown = { ...website, isPublic: true, publicHides: link.hides };
    return { website: shown, role: 'public', userId: undefined, hides: [...link.hides, ...SECTIONS], link };
  }

  async function findRole(website: WebsiteRow, userId: string | undefined) {
    if (website.userId === null || userId === undefined) return undefined;
    const seat = await seats.find(website.userId, userId);
    const isIncluded = seat && (seat.websiteIds === null || seat.websiteIds.includes(website.id));
    return isIncluded ? { role: seat.role, hides: seat.hides } : undefined;
  }

  /**
   * Decides whether a request may carry out an operation in an account. A person with some of its websites is a viewer of
   * the account, whatever the role on these.
   *
   * @throws AppError 401, 404, 403, as for websites
   */
  async function inAccount(
    operation: OperationId,
    request: Request,
    accountId: string,
  ): Promise<AccountAccess> {
    const right = rightOf(operation);
    if (typeof right === 'string' || right.on !== 'account')
      throw new Error(`${operation} needs no account.`);
    const caller = right.isLogin
      ? (await identifyLogin(accounts, request)).caller
      : await identifyCaller(accounts, request);
    const seat = await seats.find(accountId, caller.userId);
    if (!seat) throw new AppError('NOT_FOUND', 'Account not found');
    const role = seat.websiteIds === null ? seat.role : 'viewer';
    if (!includesRole(role, right.role)) throw roleTooSmallError(right.role, role);
    return { accountId, role, caller };
  }

  return { identify, open, inAccount, operationOf };
}

function requireWebsiteRight(operation: OperationId): WebsiteRight {
  const right = rightOf(operation);
  if (typeof right === 'string' || right.on !== 'website') throw new Error(`${operation} needs no website.`);
  return right;
}

function requireRight(access: Access, { role: needed, shows = [] }: WebsiteRight): Access {
  const { role, hides } = access;
  if (role !== 'public' && !includesRole(role, needed)) throw roleTooSmallError(needed, role);
  const hidden = shows.find((section) => hides.includes(section));
  if (hidden) throw hiddenError(hidden, role);
  return access;
}
