import { DAY_MS, HOUR_MS } from '../../../vocabulary/durations.ts';
import {
  COLUMN_TYPES,
  type Column,
  type ColumnName,
  dictionaryOf,
  EVENT_CODES,
  FACT_DIMENSIONS,
  LOCAL_DICTIONARIES,
  type LocalDictionary,
  PAGEVIEW,
  RULES,
  VISIT_CODES,
} from '../segment/schema.ts';
import { Segment } from '../segment/segment.ts';
import { LocalCodes } from './local-codes.ts';
import { PropertyBuilder } from './property-builder.ts';
import { newTranslation, type RowRange, translate } from './translate.ts';
import type { CutEvent, CutVisit } from './visits.ts';

/** Visits that go into a new segment: an unchanged run of another segment, or a visit that was cut. */
export type Piece = { run: Segment; from: number; to: number } | { visit: CutVisit };

export function eventCountOf(piece: Piece): number {
  if ('visit' in piece) return piece.visit.events.length;
  const first = piece.run.column('first');
  return (first[piece.to] as number) - (first[piece.from] as number);
}

/** Returns the earliest version of the rules that events of a piece were derived by. */
function rulesOf(piece: Piece): number {
  if ('run' in piece) return piece.run.header.rules;
  return piece.visit.events.reduce(
    (least, { segment }) => Math.min(least, segment?.header.rules ?? RULES),
    RULES,
  );
}

function visitCountOf(piece: Piece): number {
  return 'visit' in piece ? 1 : piece.to - piece.from;
}

/**
 * Builds a segment from pieces, given in its order. The result depends only on the visits, not on where they came from:
 * local codes are assigned in order of first appearance.
 */
export function buildSegment(websiteKey: number, day: number, pieces: readonly Piece[]): Segment {
  const builder = new Builder(day * DAY_MS, {
    visits: pieces.reduce((sum, piece) => sum + visitCountOf(piece), 0),
    events: pieces.reduce((sum, piece) => sum + eventCountOf(piece), 0),
  });
  for (const piece of pieces) {
    if ('visit' in piece) builder.addVisit(piece.visit);
    else builder.addRun(piece.run, piece.from, piece.to);
  }
  return builder.finish(
    websiteKey,
    day,
    pieces.reduce((least, piece) => Math.min(least, rulesOf(piece)), RULES),
  );
}

type Columns = { [Name in ColumnName]: Column<Name> };

/** Local codes of another segment in the new one. */
type Translation = Record<LocalDictionary, Int32Array> & { sessions: Int32Array };

class Builder {
  readonly #columns: Columns;
  readonly #codes: Record<LocalDictionary, LocalCodes>;
  readonly #sessions = new Map<number, number>();
  readonly #translations = new Map<Segment, Translation>();
  readonly #properties = new PropertyBuilder();
  #visit = 0;
  #event = 0;
  #endMs = Number.NEGATIVE_INFINITY;
  #beginMs = Number.POSITIVE_INFINITY;

  constructor(
    readonly dayMs: number,
    { visits, events }: { visits: number; events: number },
  ) {
    const ofVisits = (['visitor', 'class', 'pageviews', 'startMs', 'durationMs'] as const).map(
      (name) => [name, new COLUMN_TYPES[name](visits)] as const,
    );
    const codesOfVisits = VISIT_CODES.map((name) => [name, new Uint16Array(visits)] as const);
    const ofEvents = (['atMs', 'eventType', 'key', 'session', ...EVENT_CODES] as const).map(
      (name) => [name, new COLUMN_TYPES[name](events)] as const,
    );
    this.#columns = {
      ...(Object.fromEntries([...ofVisits, ...codesOfVisits, ...ofEvents]) as unknown as Columns),
      first: new Uint16Array(visits + 1),
      sessions: new Float64Array(0),
      longVisit: new Uint16Array(0),
      longVisitMs: new Uint32Array(0),
    };
    this.#codes = Object.fromEntries(LOCAL_DICTIONARIES.map((name) => [name, new LocalCodes()])) as Record<
      LocalDictionary,
      LocalCodes
    >;
  }

  addVisit({ visitor, class: ownClass, events, facts }: CutVisit): void {
    const columns = this.#columns;
    const visit = this.#visit;
    columns.visitor[visit] = visitor;
    columns.class[visit] = ownClass;
    columns.first[visit] = this.#event;
    FACT_DIMENSIONS.forEach((name, index) => {
      columns[name][visit] = this.#codes[name].place(facts[index] as number);
    });
    for (const event of events) this.#addEvent(event);
    this.#visit += 1;
    this.#finishVisit(visit, this.#event);
  }

  #addEvent(cut: CutEvent): void {
    const columns = this.#columns;
    const at = this.#event;
    columns.atMs[at] = cut.atMs - this.dayMs;
    columns.key[at] = cut.key;
    if (cut.new) {
      const { eventType, session, properties } = cut.new;
      columns.eventType[at] = eventType;
      for (const name of EVENT_CODES) columns[name][at] = this.#codes[name].place(cut.new[name]);
      columns.session[at] = this.#session(session);
      this.#properties.addEvent(at, properties);
    } else {
      const { segment, event } = cut;
      columns.eventType[at] = segment.column('eventType')[event] as number;
      for (const name of EVENT_CODES) {
        const code = segment.codes(name)[segment.codeColumn(name)[event] as number] as number;
        columns[name][at] = this.#codes[name].place(code);
      }
      columns.session[at] = this.#session(
        segment.column('sessions')[segment.column('session')[event] as number] as number,
      );
      this.#properties.addRun(segment.properties(), event, event + 1, at);
    }
    this.#event += 1;
  }

  /** Computes what depends on all events of the visit. */
  #finishVisit(visit: number, end: number): void {
    const { first, eventType, page, atMs, pageviews, entryPage, exitPage, startMs, durationMs } =
      this.#columns;
    const begin = first[visit] as number;
    let views = 0;
    for (let event = begin; event < end; event += 1) {
      if (eventType[event] !== PAGEVIEW) continue;
      if (views === 0) entryPage[visit] = page[event] as number;
      exitPage[visit] = page[event] as number;
      views += 1;
    }
    pageviews[visit] = views;
    startMs[visit] = atMs[begin] as number;
    durationMs[visit] = (atMs[end - 1] as number) - (atMs[begin] as number);
    this.#note(atMs[begin] as number, atMs[end - 1] as number);
  }

  #note(firstMs: number, lastMs: number): void {
    if (firstMs < this.#beginMs) this.#beginMs = firstMs;
    if (lastMs >= this.#endMs) this.#endMs = lastMs;
  }

  #session(hash: number): number {
    const known = this.#sessions.get(hash);
    if (known !== undefined) return known;
    this.#sessions.set(hash, this.#sessions.size);
    return this.#sessions.size - 1;
  }

  /** Copies visits of another segment of the same day. */
  addRun(source: Segment, from: number, to: number): void {
    const visit = this.#visit;
    const event = this.#event;
    const first = source.column('first');
    const fromEvent = first[from] as number;
    const toEvent = first[to] as number;
    for (const name of ['visitor', 'class', 'pageviews', 'startMs', 'durationMs'] as const)
      this.#columns[name].set(source.column(name).subarray(from, to), visit);
    for (const name of ['atMs', 'eventType', 'key'] as const)
      this.#columns[name].set(source.column(name).subarray(fromEvent, toEvent), event);
    for (let index = from; index < to; index += 1)
      this.#columns.first[visit + index - from] = (first[index] as number) - fromEvent + event;
    this.#visit += to - from;
    this.#event += toEvent - fromEvent;
    this.#addCodes(source, [from, to, visit], [fromEvent, toEvent, event]);
    this.#properties.addRun(source.properties(), fromEvent, toEvent, event);
    const { startMs, durationMs } = this.#columns;
    for (let index = visit; index < this.#visit; index += 1)
      this.#note(startMs[index] as number, (startMs[index] as number) + (durationMs[index] as number));
  }

  #addCodes(source: Segment, ofVisits: RowRange, ofEvents: RowRange): void {
    const translation = this.#translationOf(source);
    // Events before visits: an entry page first appears as the page of its event.
    for (const name of EVENT_CODES)
      translate(source.codeColumn(name), this.#columns[name], ofEvents, translation[name], (local) =>
        this.#codes[name].place(source.codes(name)[local] as number),
      );
    for (const name of VISIT_CODES) {
      const dictionary = dictionaryOf(name);
      translate(source.codeColumn(name), this.#columns[name], ofVisits, translation[dictionary], (local) =>
        this.#codes[dictionary].place(source.codes(dictionary)[local] as number),
      );
    }
    const sessions = source.column('sessions');
    translate(source.column('session'), this.#columns.session, ofEvents, translation.sessions, (local) =>
      this.#session(sessions[local] as number),
    );
  }

  #translationOf(source: Segment): Translation {
    const known = this.#translations.get(source);
    if (known) return known;
    const tables = LOCAL_DICTIONARIES.map((name) => [name, newTranslation(source.codes(name).length)]);
    const translation = {
      ...(Object.fromEntries(tables) as Record<LocalDictionary, Int32Array>),
      sessions: newTranslation(source.column('sessions').length),
    };
    this.#translations.set(source, translation);
    return translation;
  }

  #collectLongVisits(): void {
    const { first, startMs, durationMs, atMs } = this.#columns;
    const long: number[] = [];
    let events = 0;
    for (let visit = 0; visit < this.#visit; visit += 1) {
      const start = startMs[visit] as number;
      if (hourOf(start) === hourOf(start + (durationMs[visit] as number))) continue;
      long.push(visit);
      events += (first[visit + 1] as number) - (first[visit] as number);
    }
    this.#columns.longVisit = Uint16Array.from(long);
    this.#columns.longVisitMs = new Uint32Array(events);
    let at = 0;
    for (const visit of long) {
      const own = atMs.subarray(first[visit], first[visit + 1]);
      this.#columns.longVisitMs.set(own, at);
      at += own.length;
    }
  }

  finish(websiteKey: number, day: number, rules: number): Segment {
    const columns = this.#columns;
    columns.first[this.#visit] = this.#event;
    columns.sessions = Float64Array.from(this.#sessions.keys());
    this.#collectLongVisits();
    const codes = LOCAL_DICTIONARIES.map((name) => [name, Uint32Array.from(this.#codes[name].codes)]);
    return Segment.fresh(
      {
        websiteKey,
        day,
        visitCount: this.#visit,
        eventCount: this.#event,
        firstVisitor: columns.visitor[0] as number, // a segment has at least one visit
        lastVisitor: columns.visitor[this.#visit - 1] as number,
        startMs: this.dayMs + this.#beginMs,
        endMs: this.dayMs + this.#endMs + 1,
        firstKey: columns.key.reduce((least, key) => Math.min(least, key)),
        lastKey: columns.key.reduce((most, key) => Math.max(most, key)),
        rules,
      },
      {
        columns,
        codes: Object.fromEntries(codes) as Record<LocalDictionary, Uint32Array>,
        properties: this.#properties.finish(),
      },
    );
  }
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}
