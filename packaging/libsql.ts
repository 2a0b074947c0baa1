import { endUnpacking } from './sqlite-library.ts';

/** The package libsql of the executable: who imports it waits until its library is unpacked. */
await endUnpacking();
// biome-ignore lint/style/noDefaultExport: who imports it asks for that one
export default require('libsql');
