import { saveFile } from '../browser/save-file.ts';
import { call, type Query, respond } from './client.ts';

/** Which website is shown, and to whom: its pages are the same for the owner and for the public, less what identifies. */
export type Place = {
  websiteId: string;
  isPublic: boolean;
  /** The address of its first page. */
  base: string;
};

export function toPlace(websiteId: string, isPublic: boolean): Place {
  return {
    websiteId,
    isPublic,
    base: `/${isPublic ? 'public' : 'websites'}/${encodeURIComponent(websiteId)}`,
  };
}

/** A question about the website: `/stats/dashboard`, `/sessions`. */
export function ask<Answer>(place: Place, path: string, query: Query, signal?: AbortSignal): Promise<Answer> {
  return call<Answer>('GET', pathOf(place, path), {
    query,
    withLogin: !place.isPublic,
    ...(signal && { signal }),
  });
}

/**
 * The same answer as a CSV file, saved where the browser saves files.
 *
 * @param name without, the service names it
 */
export async function download(place: Place, path: string, query: Query, name?: string): Promise<void> {
  const response = await respond('GET', pathOf(place, path), {
    query: { ...query, format: 'csv' },
    withLogin: !place.isPublic,
  });
  const [, given = 'figures.csv'] = /"(.+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  saveFile(
    new Blob([BYTE_ORDER_MARK, await response.blob()]),
    name ? `${name.replace(UNFIT_FOR_NAMES, '')}.csv` : given,
  );
}

/** Without it, Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What one system or another does not take in the name of a file. */
const UNFIT_FOR_NAMES = /["*/:<>?\\|]/g;

function pathOf({ websiteId }: Place, path: string): string {
  return `/websites/${encodeURIComponent(websiteId)}${path}`;
}
