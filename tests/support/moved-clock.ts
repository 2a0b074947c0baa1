import { readFileSync } from 'node:fs';

/** The program with a clock that is ahead by the milliseconds in the file CLOCK_FILE. */
const realNow = Date.now;
const file = process.env.CLOCK_FILE ?? '';
Date.now = () => realNow() + Number(readFileSync(file, 'utf8'));
await import('../../src/main.ts');
