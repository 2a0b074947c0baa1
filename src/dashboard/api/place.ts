import { SHARE_TOKEN_START, SHARED_WEBSITE } from '../../vocabulary/contract.ts';
import { saveFile } from '../browser/save-file.ts';
import { call, type Query, respond } from './client.ts';

/** The website that is shown, and to whom. */
export type Place = {
  /** Id, or `all` or ids joined by commas. */
  websiteId: string;
  /** Whether only the pages of the public are shown, without data that identifies visitors and without changes. */
  isPublic: boolean;
  /** Whether several websites are shown as one. */
  isSet: boolean;
  withLogin: boolean;
  /** Token of the share link by which it is shown. */
  share?: string;
  /** Address of its dashboard. */
  base: string;
};

/** Address of all websites as one. */
export const ALL_WEBSITES = '/websites/all';

export function toPlace(websiteId: string, isPublic: boolean): Place {
  if (websiteId.startsWith(SHARE_TOKEN_START))
    return {
      websiteId: SHARED_WEBSITE,
      isPublic: true,
      isSet: false,
      withLogin: false,
      share: websiteId,
      base: `/share/${encodeURIComponent(websiteId)}`,
    };
  const isSet = websiteId === 'all' || websiteId.includes(',');
  return {
    websiteId,
    isPublic: isPublic || isSet,
    isSet,
    withLogin: !isPublic,
    base: `/${isPublic ? 'public' : 'websites'}/${encodeURIComponent(websiteId)}`,
  };
}

/** Tokens that passwords of share links were exchanged for, by the tokens of the links. This page alone has them. */
const unlocked = new Map<string, string>();

/** Exchanges the password of a share link. */
export async function unlock(share: string, password: string): Promise<void> {
  const { token } = await call<{ token: string }>('POST', '/share/unlock', {
    withLogin: false,
    body: { token: share, password },
  });
  unlocked.set(share, token);
}

/** Options of a request with the credential by which the website is shown. */
export function credentialOf({ share, withLogin }: Place): { withLogin: boolean; token?: string } {
  return share === undefined ? { withLogin } : { withLogin, token: unlocked.get(share) ?? share };
}

/** Requests data of the website: `/stats/dashboard`, `/sessions`. */
export function ask<Answer>(place: Place, path: string, query: Query, signal?: AbortSignal): Promise<Answer> {
  return call<Answer>('GET', pathOf(place, path), {
    query,
    ...credentialOf(place),
    ...(signal && { signal }),
  });
}

/**
 * Downloads the same data as a CSV file.
 *
 * @param name by default the service's
 */
export async function download(place: Place, path: string, query: Query, name?: string): Promise<void> {
  const response = await respond('GET', pathOf(place, path), {
    query: { ...query, format: 'csv' },
    ...credentialOf(place),
  });
  const [, given = 'figures.csv'] = /"(.+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  saveFile(
    new Blob([BYTE_ORDER_MARK, await response.blob()]),
    name ? `${name.replace(UNFIT_FOR_NAMES, '')}.csv` : given,
  );
}

/** Excel reads UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Characters that some systems do not allow in file names. */
const UNFIT_FOR_NAMES = /["*/:<>?\\|]/g;

function pathOf({ websiteId }: Place, path: string): string {
  return `/websites/${encodeURIComponent(websiteId)}${path}`;
}
