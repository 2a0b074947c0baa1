import { ShareLink, ShareLinkInput, ShareLinkList, ShareLinkUpdate } from '../contract/share-link.ts';
import { SHARE_LINKS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, rowRoutes } from '../websites/row-routes.ts';
import type { ShareLinks } from './share-links.ts';

export function shareLinkRoutes(deps: ListDeps, service: ShareLinks) {
  return rowRoutes(deps, {
    service,
    tag: 'Saved',
    path: 'links',
    name: 'Link',
    operationName: 'ShareLink',
    article: 'a share link',
    schemas: { one: ShareLink, list: ShareLinkList, input: ShareLinkInput, update: ShareLinkUpdate },
    trimmed: ['name'],
    about: {
      list: 'With the last use and the number of uses, and without their tokens.',
      create: `The token is in this answer only: \`/share/TOKEN\` is the page, and it is a credential for the reports that a public website answers, in which \`/websites/shared\` stands for the website. One more than ${SHARE_LINKS_MAX} links is a 409.`,
      update: 'What is absent stays. A change holds from the next request on.',
      remove: 'Its token is unknown from then on. With isRevoked instead, the link says that it was revoked.',
    },
  });
}
