import { packReferrer, packUrl, unpackReferrer, unpackUrl } from './packed-address.ts';
import { type Client, packClient, type StoredClient, unpackClient } from './packed-client.ts';

/**
 * The one way into and out of the log for the texts that it stores in a shorter form. Rows of before, with texts as
 * they were sent, are read by the same function.
 */
type Texts = Client & { url: string; referrer: string | null };
export type StoredTexts = StoredClient & { url: string; referrer: string | null };

export function packTexts(event: Texts) {
  const { url, referrer } = event;
  const client = packClient(event);
  return {
    url: packUrl(url),
    referrer: referrer === null ? null : packReferrer(referrer, url),
    browser: client.browser,
    os: client.os,
    language: client.language,
    screen: client.screen,
  };
}

export function unpackTexts(stored: StoredTexts): Texts {
  const url = unpackUrl(stored.url);
  const client = unpackClient(stored);
  return {
    url,
    referrer: stored.referrer === null ? null : unpackReferrer(stored.referrer, url),
    ...client,
  };
}
