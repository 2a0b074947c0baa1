/** A thread that leaves without an answer. */
declare const self: Worker;

self.onmessage = () => process.exit();

export {};
