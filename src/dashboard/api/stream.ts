import { ApiError, type Query, respond } from './client.ts';

type Handlers = {
  onMessage: (event: string, text: string) => void;
  /** Called whenever the stream is interrupted. Another attempt follows unless the service rejects it. */
  onFault: (fault: ApiError) => void;
};

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/**
 * Follows a stream of server-sent events until it is closed. EventSource cannot send a token, so the stream is read
 * with `fetch`; after an interruption it is opened again.
 *
 * @returns closes it
 */
export function followStream(
  path: string,
  options: { query?: Query; withLogin: boolean; token?: string },
  { onMessage, onFault }: Handlers,
): () => void {
  const abort = new AbortController();
  void run();
  return () => abort.abort();

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!abort.signal.aborted) {
      try {
        const response = await respond('GET', path, { ...options, signal: abort.signal });
        pauseMs = FIRST_PAUSE_MS;
        await read(response);
        onFault(new ApiError(0, 'UNREACHABLE', 'The connection was cut.'));
      } catch (error) {
        if (abort.signal.aborted) return;
        const fault =
          error instanceof ApiError ? error : new ApiError(0, 'UNREACHABLE', 'The connection was cut.');
        onFault(fault);
        if (fault.status >= 400 && fault.status < 500 && fault.status !== 429) return;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    }
  }

  async function read(response: Response): Promise<void> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (reader) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) handleBlock(block);
    }
  }

  function handleBlock(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${name}: `))
        .map((line) => line.slice(name.length + 2))
        .join('\n');
    const event = field('event');
    if (event) onMessage(event, field('data'));
  }
}
