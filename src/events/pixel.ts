import { Elysia, t } from 'elysia';
import { createParameters } from '../http/parameters.ts';
import { PIXEL_PATH } from '../http/path.ts';
import { senderAddress } from '../http/sender-address.ts';
import { TRACKING_CODE_LENGTH_MAX, URL_LENGTH_MAX } from '../vocabulary/contract.ts';
import type { Ingest } from './ingest.ts';
import type { SenderReader } from './sender.ts';

/** A transparent image of one pixel. */
export const GIF = Uint8Array.fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');

type Deps = { ingest: Pick<Ingest, 'one'>; toSender: SenderReader };

/**
 * Counts a pageview by an image, for pages without JavaScript: always without ids. The page is named by `url`, or else by
 * the Referer, which browsers cut to its origin for images of other hosts.
 */
export function pixelRoute({ ingest, toSender }: Deps) {
  return new Elysia().use(senderAddress()).get(
    PIXEL_PATH,
    async ({ address, limitedAddress, request, set }) => {
      const parameters = createParameters(request.url);
      const code = parameters.text('code', TRACKING_CODE_LENGTH_MAX);
      const url = parameters.text('url', URL_LENGTH_MAX);
      const referrer = parameters.text('referrer', URL_LENGTH_MAX);
      parameters.finish();
      const event = {
        trackingCode: code,
        eventType: 'pageview',
        url: url ?? request.headers.get('referer') ?? undefined,
        referrer,
        anonymous: true,
      };
      await ingest.one(event, toSender(request, { address, limitedAddress }, undefined));
      set.headers['cross-origin-resource-policy'] = 'cross-origin';
      return new Response(GIF, { headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store' } });
    },
    {
      query: t.NoValidate(t.Object({ code: t.String() }, { additionalProperties: true })),
      detail: { hide: true },
    },
  );
}
