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
  /** Address of its dashboard. */
  base: string;
};

/** Address of all websites as one. */
export const ALL_WEBSITES = '/websites/all';

export function toPlace(websiteId: string, isPublic: boolean): Place {
  const isSet = websiteId === 'all' || websiteId.includes(',');
  return {
    websiteId,
    isPublic: isPublic || isSet,
    isSet,
    withLogin: !isPublic,
    base: `/${isPublic ? 'public' : 'websites'}/${encodeURIComponent(websiteId)}`,
  };
}

/** Requests data of the website: `/stats/dashboard`, `/sessions`. */
export function ask<Answer>(place: Place, path: string, query: Query, signal?: AbortSignal): Promise<Answer> {
  return call<Answer>('GET', pathOf(place, path), {
    query,
    withLogin: place.withLogin,
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
    withLogin: place.withLogin,
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
