import type { IpAddress } from '../network/ip-address.ts';
import type { Place } from '../places/place.ts';
import type { PlaceLookup } from '../places/place-lookup.ts';
import { EVENT_TEXTS } from '../vocabulary/event-texts.ts';
import { readClientHints } from './client-hints.ts';
import type { UserAgents } from './user-agent.ts';
import type { UserAgentDescription } from './user-agent-description.ts';

/** Sender of events as the request describes it. The address is used and forgotten, never stored or logged. */
export type Sender = {
  /** Describes the User-Agent and the client hints. */
  agent: () => UserAgentDescription;
  userAgent: string | null;
  language: string | null;
  origin: string | null;
  address: IpAddress | null;
  /** Address by which limits count; null without a limit. */
  limitedAddress: IpAddress | null;
  /** Returns the place of the address, looked up on first use; null when unknown. */
  place: () => Place | null;
  /** Owner of the API key of scope `events` that came along, if one did. */
  keyOwnerId: string | undefined;
};

/** Addresses of the sender of a request (http/sender-address). */
export type Addresses = { address: IpAddress | null; limitedAddress: IpAddress | null };

export type SenderReader = (request: Request, addresses: Addresses, keyOwnerId: string | undefined) => Sender;

export function createSenderReader(places: PlaceLookup, userAgents: UserAgents): SenderReader {
  return ({ headers }, { address, limitedAddress }, keyOwnerId) => {
    let agent: UserAgentDescription | undefined;
    let place: Place | null | undefined;
    return {
      userAgent: headers.get('user-agent'),
      agent: () => (agent ??= userAgents.describe(headers.get('user-agent'), readClientHints(headers))),
      language: firstLanguage(headers.get('accept-language')),
      origin: headers.get('origin'),
      address,
      limitedAddress,
      place: () => {
        if (place === undefined) place = (address && places.placeOf(address)) || null;
        return place;
      },
      keyOwnerId,
    };
  };
}

/** The first tag of an Accept-Language header (RFC 9110, 12.5.4); browsers list the user's own language first. */
function firstLanguage(header: string | null): string | null {
  const tag = header?.match(/^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)/i)?.[1];
  return tag && tag.length <= EVENT_TEXTS.language.lengthMax ? tag : null;
}
