import { FunnelInput, FunnelList, FunnelUpdate, SavedFunnel } from '../contract/saved-funnel.ts';
import { FUNNELS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, rowRoutes } from '../websites/row-routes.ts';
import type { Funnels } from './funnels.ts';

export function savedFunnelRoutes(deps: ListDeps, service: Funnels) {
  return rowRoutes(deps, {
    service,
    tag: 'Saved',
    path: 'funnels',
    name: 'Funnel',
    operationName: 'SavedFunnel',
    article: 'a funnel',
    schemas: { one: SavedFunnel, list: FunnelList, input: FunnelInput, update: FunnelUpdate },
    trimmed: ['name', 'window'],
    about: {
      list: 'By name. One whose goal was deleted says so in its faults.',
      create: `Steps, order and window under a name, to ask for them again. A name that is taken is a 409; so is one more than ${FUNNELS_MAX} funnels.`,
      update: 'What is absent stays.',
      remove: 'No event is lost.',
    },
  });
}
