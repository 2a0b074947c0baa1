import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createTermStore, Dictionary } from '../../src/analytics/embedded/dictionary/dictionary.ts';
import { UsedCodes } from '../../src/analytics/embedded/dictionary/used-codes.ts';
import { createVisitorStore, VisitorCodes } from '../../src/analytics/embedded/dictionary/visitor-codes.ts';
import { OTHER } from '../../src/vocabulary/analytics.ts';
import { createTestLog, type TestLog } from './support.ts';

const SCOPE = 7;
let log: TestLog;
beforeAll(async () => {
  log = await createTestLog();
});
beforeEach(() => log.database.exec('DELETE FROM terms; DELETE FROM visitors'));
afterAll(() => log.close());

const open = (newTextsADay = 100) =>
  new Dictionary(createTermStore(log.database), SCOPE, { newTextsADay, cachedBytesMax: 1024 * 1024 });

/** An event of a day. */
const on = (day: number, key = 1) => ({ key, day });

function save(dictionary: Dictionary | VisitorCodes): void {
  for (const write of dictionary.beginSave()) write();
  dictionary.endSave();
}

function entries(dictionary: Dictionary): [code: number, text: string][] {
  const found: [number, string][] = [];
  dictionary.each((code, text) => found.push([code, text]));
  return found.sort();
}

/** As a vacuum does: what the segments use is marked, and the rest of what is on disk is retired. */
function retireAll(dictionary: Dictionary): void {
  for (const [code] of createTermStore(log.database).all(SCOPE))
    if (dictionary.retire(code))
      log.database.exec(`DELETE FROM terms WHERE scope = ${SCOPE} AND code = ${code}`);
}

describe('a dictionary', () => {
  test('finds no other text for one that SQLite cannot hold', () => {
    const dictionary = open();
    for (const text of ['\ufffd', 'a']) dictionary.intern(text, on(1));
    save(dictionary);
    for (const known of [dictionary, open()])
      expect(['\ufffd', '\ud800', 'a', 'a\0', 'a\0b'].map((text) => known.find(text))).toEqual([
        1, 0, 2, 0, 0,
      ]);
  });

  test('gives codes in the order of the texts, and knows them after a restart', () => {
    const dictionary = open();
    expect(['a', 'b', 'a', ''].map((text) => dictionary.intern(text, on(1)))).toEqual([1, 2, 1, 0]);
    save(dictionary);
    for (const known of [dictionary, open()]) {
      expect([
        known.count,
        known.find('b'),
        known.find('c'),
        known.text(1),
        known.text(0),
        known.text(9),
      ]).toEqual([2, 2, 0, 'a', '', '']);
      expect(entries(known)).toEqual([
        [1, 'a'],
        [2, 'b'],
      ]);
      expect(known.intern('c', on(1))).toBe(3);
    }
  });

  test('counts the texts of a day once after a restart, however many do not fit', () => {
    const before = open(2);
    for (const text of ['a', 'b']) before.intern(text, on(1));
    save(before);
    const store = createTermStore(log.database);
    let counts = 0;
    const newOn: typeof store.newOn = (scope, day) => {
      counts += 1;
      return store.newOn(scope, day);
    };
    const again = new Dictionary({ ...store, newOn }, SCOPE, {
      newTextsADay: 2,
      cachedBytesMax: 1024 * 1024,
    });
    expect(['c', 'd', 'e'].map((text) => again.intern(text, on(1)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(counts).toBe(1);
  });

  test('names so many new texts a day, before and after a restart; the others are one text', () => {
    const dictionary = open(2);
    expect(['a', 'b', 'c', 'a'].map((text) => dictionary.intern(text, on(1)))).toEqual([1, 2, undefined, 1]);
    expect([dictionary.other(), dictionary.other()]).toEqual([3, 3]);
    expect(['c', 'd', 'e'].map((text) => dictionary.intern(text, on(2)))).toEqual([4, 5, undefined]);
    save(dictionary);
    const restarted = open(2);
    expect([1, 2, 3].map((day) => restarted.intern('f', on(day)))).toEqual([undefined, undefined, 6]);
    expect([restarted.intern(OTHER, on(1)), restarted.other()]).toEqual([3, 3]);
  });

  test('knows no text for an event that came before the text, before and after a restart', () => {
    const dictionary = open(1);
    expect(dictionary.intern('a', on(1, 5))).toBe(1);
    expect(dictionary.intern('b', on(1, 6))).toBeUndefined();
    expect(dictionary.intern('b', on(2, 9))).toBe(2);
    save(dictionary);
    for (const known of [dictionary, open(1)])
      expect([6, 9, 10].map((key) => known.intern('b', on(1, key)))).toEqual([undefined, 2, 2]);
  });

  test('knows a text that was removed and came back also for an event before it, where its day had room', () => {
    const dictionary = open(2);
    dictionary.intern('a', on(1, 5));
    dictionary.beginVacuum(new UsedCodes(1));
    save(dictionary);
    retireAll(dictionary);
    dictionary.endVacuum();
    const again = dictionary.intern('a', on(2, 9));
    expect(dictionary.intern('a', on(1, 5))).toBe(again);
  });

  test('finds what came while it was saved, and saves it the next time', () => {
    const dictionary = open();
    dictionary.intern('a', on(1));
    const writes = dictionary.beginSave();
    dictionary.intern('b', on(1));
    for (const write of [...writes, ...writes]) write(); // a step may be run twice
    expect(entries(dictionary).filter(([code]) => code === 2)).toEqual([[2, 'b']]);
    dictionary.endSave();
    expect(entries(open())).toEqual([[1, 'a']]);
    save(dictionary);
    expect(entries(open())).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test('finds all texts, though it holds some of them in memory', () => {
    const dictionary = open(Number.POSITIVE_INFINITY);
    const count = 45_000;
    const textOf = (code: number) => `text ${code}`;
    for (let code = 1; code <= count; code += 1) dictionary.intern(textOf(code), on(1));
    log.database.exec('BEGIN');
    save(dictionary);
    log.database.exec('COMMIT');
    const restarted = open();
    const wrong = Array.from({ length: count }, (_, index) => index + 1).filter(
      (code) => restarted.find(textOf(code)) !== code || restarted.text(code) !== textOf(code),
    );
    expect(wrong).toEqual([]);
    expect(restarted.bytes).toBeLessThan(dictionary.bytes / 2);
    expect(restarted.bytes).toBeGreaterThan(0);
  });

  test('lets go of texts that are not used, but for those that come meanwhile', () => {
    const dictionary = open();
    for (const text of ['used', 'unused', 'back', 'saved late']) dictionary.intern(text, on(1));
    save(dictionary);
    const used = new UsedCodes(dictionary.count);
    dictionary.beginVacuum(used);
    used.add(1);
    expect([dictionary.intern('back', on(1)), dictionary.intern('new', on(1))]).toEqual([3, 5]);
    save(dictionary);
    retireAll(dictionary);
    dictionary.endVacuum();
    const left: [number, string][] = [
      [1, 'used'],
      [3, 'back'],
      [5, 'new'],
    ];
    expect([entries(dictionary), entries(open())]).toEqual([left, left]);
    expect([dictionary.find('unused'), dictionary.text(2)]).toEqual([0, '']);
    expect(dictionary.intern('unused', on(1))).toBe(6);
  });

  test('has room for as much as before when texts have gone', () => {
    const dictionary = open();
    for (const text of ['a', 'b', 'c']) dictionary.intern(text, on(1));
    save(dictionary);
    for (const dictionaryLeft of [dictionary, open()]) {
      dictionaryLeft.beginVacuum(new UsedCodes(3));
      retireAll(dictionaryLeft);
      dictionaryLeft.endVacuum();
      expect(dictionaryLeft.bytes).toBe(0);
    }
  });

  test('counts what a day has brought also when a vacuum comes before it is saved', () => {
    const dictionary = open(2);
    dictionary.intern('a', on(1));
    dictionary.beginVacuum(new UsedCodes(1));
    dictionary.endVacuum();
    expect(['b', 'c'].map((text) => dictionary.intern(text, on(1)))).toEqual([2, undefined]);
  });
});

describe('codes of visitors', () => {
  const uuid = (byte: number) => Buffer.alloc(16, byte);
  const openVisitors = (count = 0) => new VisitorCodes(createVisitorStore(log.database), 1, count);

  test('are given in the order in which visitors come, once each, also when they are expected', () => {
    const visitors = openVisitors();
    const ids = [uuid(9), 'text', uuid(1), uuid(9), 'text', uuid(2)];
    visitors.expect(ids);
    const codes = [1, 2, 3, 1, 2, 4];
    expect(ids.map((id) => visitors.intern(id))).toEqual(codes);
    const writes = visitors.beginSave();
    expect(visitors.intern(uuid(3))).toBe(5);
    for (const write of [...writes, ...writes]) write();
    visitors.endSave();
    save(visitors);
    const restarted = openVisitors(5);
    restarted.expect(ids);
    expect(ids.map((id) => restarted.intern(id))).toEqual(codes);
    expect([restarted.find(uuid(3)), restarted.find(uuid(4)), restarted.find('other')]).toEqual([5, 0, 0]);
  });

  test('are not given again when their visitor has gone', () => {
    const visitors = openVisitors();
    for (const byte of [1, 2, 3]) visitors.intern(uuid(byte));
    save(visitors);
    const used = new UsedCodes(visitors.count);
    visitors.beginVacuum(used);
    used.add(1);
    visitors.expect([uuid(3)]);
    expect([visitors.intern(uuid(3)), visitors.intern(uuid(4))]).toEqual([3, 4]);
    expect([1, 2, 3, 4].map((code) => visitors.retire(code))).toEqual([false, true, false, false]);
    log.database.exec('DELETE FROM visitors WHERE code = 2');
    visitors.endVacuum();
    expect([visitors.find(uuid(2)), visitors.intern(uuid(2)), visitors.intern(uuid(3))]).toEqual([0, 5, 3]);
  });
});
