/** What was looked at, how it is, and what to do when it is not well. */
export type Finding = {
  check: string;
  level: 'ok' | 'warn' | 'fault';
  message: string;
  advice?: string;
};

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message };
}

/** It works, and somebody should know. */
export function warn(check: string, message: string, advice: string): Finding {
  return { check, level: 'warn', message, advice };
}

/** It does not work, or data is damaged. */
export function fault(check: string, message: string, advice: string): Finding {
  return { check, level: 'fault', message, advice };
}
