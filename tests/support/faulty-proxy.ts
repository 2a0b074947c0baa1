import { connect, createServer, type Socket } from 'node:net';

/** Faults of a request on its way, and to the answer after the work is done. */
export const NETWORK_FAULTS = ['cut before', 'cut after', 'cut in the middle', 'delay'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

export type FaultyProxy = {
  url: string;
  /** Asked once for each request that passes; undefined lets it through. */
  onRequest(next: () => NetworkFault | undefined): void;
  /** Ends every connection that is open. */
  cutAll(): void;
  stop(): void;
};

/**
 * Stands between the service and its database server, byte by byte. A server answers a request when its work is
 * committed, so what is cut after that is an answer that is lost and not the work.
 */
export async function startFaultyProxy(target: string, delayMs = 50): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let nextFault: () => NetworkFault | undefined = () => undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let fault: NetworkFault | undefined;
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        open.delete(socket);
        cut();
      });
    }
    client.on('data', (bytes) => {
      fault = nextFault();
      if (fault === 'cut before') return cut();
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (fault === 'cut after') return cut();
      if (fault === 'cut in the middle')
        return void client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), cut);
      if (fault === 'delay') return void setTimeout(() => client.writable && client.write(bytes), delayMs);
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy does not listen.');

  function cutAll(): void {
    for (const socket of open) socket.destroy();
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    onRequest(next) {
      nextFault = next;
    },
    cutAll,
    stop() {
      cutAll();
      server.close();
    },
  };
}
