/** The parts of DuckDB that the bench uses. It is installed only where it runs: the compiler does without it. */
declare module '@duckdb/node-api' {
  export class DuckDBConnection {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): Record<string, unknown>[] }>;
    closeSync(): void;
  }
  export class DuckDBInstance {
    static create(path: string, options: Record<string, string>): Promise<DuckDBInstance>;
    connect(): Promise<DuckDBConnection>;
    closeSync(): void;
  }
}
