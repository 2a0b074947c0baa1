/** A thread that leaves without an answer. */
declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<object>) => {
  if ('request' in data) process.exit();
};

export {};
