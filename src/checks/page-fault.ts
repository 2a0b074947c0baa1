import type { CheckCode } from '../vocabulary/contract.ts';

/** Why a page could not be looked at, in the words of the answer. */
export class PageFault extends Error {
  readonly code: CheckCode;
  readonly fix: string;
  constructor(code: Extract<CheckCode, `page-${string}`>, message: string, fix: string) {
    super(message);
    this.name = 'PageFault';
    this.code = code;
    this.fix = fix;
  }
}
