import { Annotation, AnnotationInput, AnnotationList, AnnotationUpdate } from '../contract/annotation.ts';
import { ANNOTATIONS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, rowRoutes } from '../websites/row-routes.ts';
import type { Annotations } from './annotations.ts';

export function annotationRoutes(deps: ListDeps, service: Annotations) {
  return rowRoutes(deps, {
    service,
    tag: 'Saved',
    path: 'annotations',
    name: 'Annotation',
    operationName: 'Annotation',
    article: 'an annotation',
    schemas: { one: Annotation, list: AnnotationList, input: AnnotationInput, update: AnnotationUpdate },
    trimmed: ['text'],
    about: {
      list: 'By time, all of them. Those of a range come with its points: annotations=true.',
      create: `A remark on the chart, for people and for scripts: \`{"text":"deploy 1.4"}\` is one of now. One more than ${ANNOTATIONS_MAX} is a 409.`,
      update: 'What is absent stays.',
      remove: 'Removes it from the chart.',
    },
  });
}
