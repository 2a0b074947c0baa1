/** Result of one check, with advice if something is wrong. */
export type Finding = {
  check: string;
  level: 'ok' | 'warn' | 'fault';
  message: string;
  advice?: string;
};

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message };
}

/** Finding about something that works, but needs attention. */
export function warn(check: string, message: string, advice: string): Finding {
  return { check, level: 'warn', message, advice };
}

/** It does not work, or data is damaged. */
export function fault(check: string, message: string, advice: string): Finding {
  return { check, level: 'fault', message, advice };
}
