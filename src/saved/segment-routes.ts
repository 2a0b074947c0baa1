import { SavedSegment, SegmentInput, SegmentList, SegmentUpdate } from '../contract/segment.ts';
import { SEGMENTS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, rowRoutes } from '../websites/row-routes.ts';
import type { Segments } from './segments.ts';

export function segmentRoutes(deps: ListDeps, service: Segments) {
  return rowRoutes(deps, {
    service,
    tag: 'Saved',
    path: 'segments',
    name: 'Segment',
    operationName: 'Segment',
    article: 'a segment',
    schemas: { one: SavedSegment, list: SegmentList, input: SegmentInput, update: SegmentUpdate },
    trimmed: ['name'],
    about: {
      list: 'By name: those of the website and your own. One whose goal was deleted says so in its faults.',
      create: `Filters under a name; \`["is","segment",["ID"]]\` is a condition then. A name that is taken is a 409; so is one more than ${SEGMENTS_MAX} segments.`,
      update: 'What is absent stays. Links that name the segment then ask with its new filters.',
      remove: 'A link that names it is a 400 from then on.',
    },
  });
}
