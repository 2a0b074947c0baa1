import { type Asked, type DescribedRoute, readDescribedRoutes } from '../support/described-routes.ts';
import { eventFor } from '../support/event.ts';
import { createTestService } from '../support/service.ts';

const DOMAIN = 'https://example.com';

/** Nothing has these. */
export const UNKNOWN: Asked = {
  id: '00000000-0000-4000-8000-000000000000',
  trackingCode: 'pm-unknown-1',
  domain: 'https://unknown.example',
};

/** The service, every route of its description, and Ada, who has one of everything that a path can name. */
export async function openStage() {
  const service = await createTestService({}, { workOnImport: () => Promise.resolve() });
  const routes = await readDescribedRoutes(service);
  const ada = await service.signUp();
  const { id, trackingCode } = await service.addWebsite(ada.token, DOMAIN);
  // Session and visitor are called as requests call them.
  const event = eventFor(trackingCode, { sessionId: 'x', visitorId: 'x' });
  const stored = await service.send('POST', '/api/v1/events', { body: event });
  const { body: goal } = await service.send('POST', `/api/v1/websites/${id}/goals`, {
    token: ada.token,
    body: { name: 'Purchase', type: 'event', match: 'purchase' },
  });
  const { body: segment } = await service.send('POST', `/api/v1/websites/${id}/segments`, {
    token: ada.token,
    body: { name: 'Germans', filters: [['is', 'country', ['DE']]] },
  });
  const { body: annotation } = await service.send('POST', `/api/v1/websites/${id}/annotations`, {
    token: ada.token,
    body: { text: 'deploy 1.4' },
  });
  const page = ['is', 'page', ['/']];
  const { body: funnel } = await service.send('POST', `/api/v1/websites/${id}/funnels`, {
    token: ada.token,
    body: { name: 'Sale', steps: [page, page] },
  });
  const { body: link } = await service.send('POST', `/api/v1/websites/${id}/links`, {
    token: ada.token,
    body: { name: 'Client' },
  });
  const { body: invited } = await service.send('POST', `/api/v1/accounts/${ada.id}/members`, {
    token: ada.token,
    body: { role: 'viewer' },
  });
  const { body: upload } = await service.send('POST', `/api/v1/websites/${id}/imports`, {
    token: ada.token,
    body: { name: 'umami.csv', sizeBytes: 1_000 },
  });
  const logins = await service.send('GET', '/api/v1/auth/sessions', { token: ada.token });
  /** By what their path begins with. */
  const ids: [string, string][] = [
    ['/api/v1/websites', id],
    ['/api/v1/events', stored.body.id],
    ['/api/v1/latest', stored.body.id],
    ['/api/v1/auth/sessions', logins.body.sessions[0].id],
    ['/api/v1/auth/api-keys', (await service.addKey(ada.token)).id],
  ];
  function adas({ path }: DescribedRoute): Asked {
    const [, found = id] = ids.find(([begin]) => path.startsWith(begin)) ?? [];
    return {
      id: found,
      trackingCode,
      domain: DOMAIN,
      named: {
        goalId: goal.id,
        segmentId: segment.id,
        annotationId: annotation.id,
        funnelId: funnel.id,
        linkId: link.id,
        importId: upload.id,
        accountId: ada.id,
        memberId: invited.member.id,
      },
    };
  }
  return { service, routes, ada, adas };
}

export function takesLogin({ operation }: DescribedRoute): boolean {
  return takes(operation, 'bearerAuth');
}

export function takesKey({ operation }: DescribedRoute): boolean {
  return takes(operation, 'apiKeyAuth');
}

function takes({ security = [] }: DescribedRoute['operation'], scheme: string): boolean {
  return security.some((one) => scheme in one);
}
