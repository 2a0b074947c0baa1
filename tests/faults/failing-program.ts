import '../../src/main.ts';

/** The program with two bugs in its background, one a signal. */
process.on('SIGUSR1', () => void Promise.reject(new Error('secret-word in a rejection')));
process.on('SIGUSR2', () =>
  setTimeout(() => {
    throw new Error('secret-word in a timer');
  }),
);
