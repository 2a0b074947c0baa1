import { JOURNEY_DIRECTIONS, type JourneyDirection } from '../../vocabulary/contract.ts';
import type { PageCodec } from '../state/view-state.ts';

/** `visit` stands for the start or end of a visit; its value is empty. */
export const ANCHOR_KINDS = ['visit', 'page', 'event', 'goal'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** A page or custom event of a journey; the value is empty for visits without one. */
export type JourneyStop = { kind: 'page' | 'event'; value: string };

/** Choices of the journeys report in the address. */
export type JourneyState = {
  direction: JourneyDirection;
  kind: AnchorKind;
  value: string;
  /** Whether custom events are steps. */
  withEvents: boolean;
  /** Pinned steps, the nearest to the anchor first. */
  pins: readonly JourneyStop[];
};

/** `journey=from,page,/pricing&steps=pages&pin=page,/signup&pin=event,signup` */
export const JOURNEY_CODEC: PageCodec<JourneyState> = { read: readJourneyState, write: writeJourneyState };

function readJourneyState(parameters: URLSearchParams): JourneyState {
  const [directionText, kindText, ...value] = parameters.get('journey')?.split(',') ?? [];
  const direction = JOURNEY_DIRECTIONS.find((name) => name === directionText);
  const kind = ANCHOR_KINDS.find((name) => name === kindText);
  const isGiven = direction !== undefined && kind !== undefined;
  return {
    ...(isGiven
      ? { direction, kind, value: value.join(',') }
      : { direction: 'from', kind: 'visit', value: '' }),
    withEvents: parameters.get('steps') !== 'pages',
    pins: parameters.getAll('pin').flatMap(readStop),
  };
}

function readStop(text: string): JourneyStop[] {
  const [kindText, ...value] = text.split(',');
  const kind = (['page', 'event'] as const).find((name) => name === kindText);
  return kind ? [{ kind, value: value.join(',') }] : [];
}

function writeJourneyState(journey: JourneyState, parameters: URLSearchParams): void {
  const { direction, kind, value, withEvents, pins } = journey;
  if (direction !== 'from' || kind !== 'visit')
    parameters.set('journey', [direction, kind, ...(kind === 'visit' ? [] : [value])].join(','));
  if (!withEvents) parameters.set('steps', 'pages');
  for (const pin of pins) parameters.append('pin', `${pin.kind},${pin.value}`);
}

/** Parameters of the question, without the filters. */
export function toJourneyQuestion({
  direction,
  kind,
  value,
}: Pick<JourneyState, 'direction' | 'kind' | 'value'>) {
  return { direction, anchor: kind === 'visit' ? undefined : JSON.stringify(toCondition(kind, value)) };
}

/** Conditions added to the filters. */
export function conditionsOf({
  withEvents,
  kind,
  value,
}: Pick<JourneyState, 'withEvents' | 'kind' | 'value'>): unknown[] {
  if (withEvents) return [];
  const isPage = ['is', 'eventType', ['pageview']];
  return [kind === 'event' || kind === 'goal' ? ['or', [isPage, toCondition(kind, value)]] : isPage];
}

function toCondition(kind: AnchorKind, value: string): unknown {
  if (kind !== 'page') return ['is', kind, [value]];
  const isLike = [value.includes('*') ? 'like' : 'is', 'page', [value]];
  return ['and', [['is', 'eventType', ['pageview']], isLike]];
}
