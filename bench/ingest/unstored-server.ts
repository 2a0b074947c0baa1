import { createApp } from '../../src/app.ts';
import { openDatabase } from '../../src/db/open.ts';
import { parseConfig } from '../../src/settings/config.ts';

/** The service with storing switched off: everything else happens, and the log says that it is done. */

const { config } = parseConfig(process.env, process.cwd());
const { app } = createApp({
  config,
  jwtSecret: 'not a secret, for a bench on the loopback only',
  database: await openDatabase(config.database, config.durability),
  now: Date.now,
  onError: console.error,
  log: { append: (events) => events.map((event) => ({ kind: 'stored', event })) },
});
app.listen({ port: config.port, hostname: config.host, reusePort: false });
console.log(`ready at http://localhost:${app.server?.port}`);
