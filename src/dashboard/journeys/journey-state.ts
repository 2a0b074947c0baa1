import { JOURNEY_DIRECTIONS, type JourneyDirection } from '../../vocabulary/contract.ts';
import type { PageCodec } from '../state/view-state.ts';

/** `visit` stands for the start or end of a visit; its value is empty. */
export const ANCHOR_KINDS = ['visit', 'page', 'event', 'goal'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** Choices of the journeys report in the address. */
export type JourneyState = {
  direction: JourneyDirection;
  kind: AnchorKind;
  value: string;
  /** Whether custom events are steps. */
  withEvents: boolean;
};

const FIRST_JOURNEY: JourneyState = { direction: 'from', kind: 'visit', value: '', withEvents: true };

/** `journey=from,page,/pricing&steps=pages` */
export const JOURNEY_CODEC: PageCodec<JourneyState> = { read: readJourneyState, write: writeJourneyState };

function readJourneyState(parameters: URLSearchParams): JourneyState {
  const [directionText, kindText, ...value] = parameters.get('journey')?.split(',') ?? [];
  const direction = JOURNEY_DIRECTIONS.find((name) => name === directionText);
  const kind = ANCHOR_KINDS.find((name) => name === kindText);
  if (!direction || !kind) return FIRST_JOURNEY;
  return { direction, kind, value: value.join(','), withEvents: parameters.get('steps') !== 'pages' };
}

function writeJourneyState(journey: JourneyState, parameters: URLSearchParams): void {
  if (journey === FIRST_JOURNEY) return;
  const { direction, kind, value, withEvents } = journey;
  parameters.set('journey', [direction, kind, ...(kind === 'visit' ? [] : [value])].join(','));
  if (!withEvents) parameters.set('steps', 'pages');
}

/** Parameters of the question, without the filters. */
export function toJourneyQuestion({ direction, kind, value }: JourneyState) {
  return { direction, anchor: kind === 'visit' ? undefined : JSON.stringify(toCondition(kind, value)) };
}

/** Conditions added to the filters. */
export function conditionsOf({ withEvents, kind, value }: JourneyState): unknown[] {
  if (withEvents) return [];
  const isPage = ['is', 'eventType', ['pageview']];
  return [kind === 'event' || kind === 'goal' ? ['or', [isPage, toCondition(kind, value)]] : isPage];
}

function toCondition(kind: AnchorKind, value: string): unknown {
  if (kind !== 'page') return ['is', kind, [value]];
  const isLike = [value.includes('*') ? 'like' : 'is', 'page', [value]];
  return ['and', [['is', 'eventType', ['pageview']], isLike]];
}
