export {};

/** Answers at once and does nothing else: how long a busy machine lets anybody wait. */
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('pong') });
console.log(`ready at http://127.0.0.1:${server.port}`);
