import Database from 'libsql';
import type { Fields } from '../fields.ts';

/**
 * Sessions and data of events, by which the events of another file are completed. They may be more than fit into memory, so
 * they lie in a temporary database, which SQLite removes when it is closed.
 */
export class UmamiTables {
  readonly #database = new Database('');
  readonly #addSession;
  readonly #addData;
  readonly #findSession;
  readonly #findData;
  #isEmpty = true;

  constructor() {
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE sessions (id TEXT PRIMARY KEY, fields TEXT) WITHOUT ROWID;
      CREATE TABLE data (event TEXT, name TEXT, value TEXT, PRIMARY KEY (event, name)) WITHOUT ROWID;`);
    const prepare = (sql: string) => this.#database.prepare(sql);
    this.#addSession = prepare('INSERT OR IGNORE INTO sessions VALUES (?, ?)');
    this.#addData = prepare('INSERT OR IGNORE INTO data VALUES (?, ?, ?)');
    this.#findSession = prepare('SELECT fields FROM sessions WHERE id = ?');
    this.#findData = prepare('SELECT json_group_object(name, value) AS fields FROM data WHERE event = ?');
  }

  addSessions(rows: readonly Fields[]): void {
    this.#transact(() => {
      for (const row of rows) if (row.session_id) this.#addSession.run(row.session_id, JSON.stringify(row));
    });
  }

  addData(rows: readonly Fields[]): void {
    this.#transact(() => {
      for (const row of rows) {
        const event = row.website_event_id ?? row.event_id;
        const value = row.string_value || row.number_value || row.date_value;
        if (event && row.data_key && value) this.#addData.run(event, row.data_key, value);
      }
    });
  }

  /** Completes an event with the fields of its session, and with its data. Its own fields win. */
  complete(event: Fields): Fields {
    if (this.#isEmpty) return event;
    const session = fieldsOf(this.#findSession.get(event.session_id ?? ''));
    const data =
      event.event_data || !event.event_id ? undefined : fieldsOf(this.#findData.get(event.event_id));
    const own = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== ''));
    const hasData = data && Object.keys(data).length > 0;
    return { ...session, ...own, ...(hasData && { event_data: JSON.stringify(data) }) };
  }

  close(): void {
    this.#database.close();
  }

  #transact(work: () => void): void {
    this.#isEmpty = false;
    this.#database.exec('BEGIN');
    work();
    this.#database.exec('COMMIT');
  }
}

function fieldsOf(row: unknown): Fields | undefined {
  const text = typeof row === 'object' && row !== null && 'fields' in row ? row.fields : undefined;
  return typeof text === 'string' ? JSON.parse(text) : undefined; // as it was put there
}
