import type { DeviceType } from '../vocabulary/contract.ts';

/** Description of the program that sent a request. */
export type UserAgentDescription = {
  readonly browser?: string;
  /** Major versions. */
  readonly browserVersion?: string;
  readonly os?: string;
  readonly osVersion?: string;
  readonly deviceType?: DeviceType;
  readonly isBot: boolean;
  /** Its name. */
  readonly bot?: string;
};
