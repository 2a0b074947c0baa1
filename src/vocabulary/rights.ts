import type { Role, Section } from './access.ts';
import type { ApiKeyScope } from './contract.ts';

/** Right on one website. */
export type WebsiteRight = {
  on: 'website';
  role: Role;
  /** Whether a public website answers callers without a role as well. */
  isPublic?: true;
  /** Sections that the answer consists of: refused to callers from whom one of them is hidden. */
  shows?: readonly Section[];
  /** Scope that an API key needs; by default `read` for GET and HEAD, `write` for every other method. */
  scope?: ApiKeyScope;
};
/** Right in an account, on all of its websites. */
export type AccountRight = { on: 'account'; role: Role; isLogin?: true };
/**
 * `open`: everyone. `sender`: everyone, and an API key lifts limits. `user`: any account, for what is its own.
 * `login`: the same, but not by API key.
 */
export type Right = 'open' | 'sender' | 'user' | 'login' | WebsiteRight | AccountRight;

const anyone = { on: 'website', role: 'viewer', isPublic: true } as const;
const member = { on: 'account', role: 'viewer', isLogin: true } as const;
const manager = { on: 'account', role: 'admin', isLogin: true } as const;
const viewer = { on: 'website', role: 'viewer' } as const;
const editor = { on: 'website', role: 'editor' } as const;
const admin = { on: 'website', role: 'admin' } as const;
const visitors = { ...viewer, shows: ['visitors'] } as const;
const properties = { ...viewer, shows: ['properties'] } as const;
/** Whole events, as they were stored. */
const events = { ...viewer, shows: ['visitors', 'properties', 'revenue'] } as const;
/** A question in a body only reads. */
const query = { ...viewer, scope: 'read' } as const;

/**
 * The right that each operation needs, by its operation id. A route without a line here does not compile; the OpenAPI
 * document and the test of all roles and routes are generated from it.
 */
export const RIGHTS = {
  ping: 'open',
  getHealth: 'open',

  getSetup: 'open',
  register: 'open',
  login: 'open',
  refreshTokens: 'open',
  getAccount: 'user',
  renameAccount: 'user',
  deleteAccount: 'login',
  logout: 'login',
  logoutEverywhere: 'login',
  changePassword: 'login',
  listLogins: 'login',
  endLogin: 'login',
  getRegistration: 'login',
  setRegistration: 'login',
  listApiKeys: 'login',
  createApiKey: 'login',
  deleteApiKey: 'login',

  listAccounts: 'user',
  previewInvitation: 'open',
  acceptInvitation: 'login',
  listMembers: manager,
  inviteMember: manager,
  updateMember: manager,
  removeMember: manager,
  leaveAccount: member,
  getAuditLog: { on: 'account', role: 'admin' },

  createWebsite: 'user',
  listWebsites: 'user',
  getWebsite: viewer,
  updateWebsite: editor,
  deleteWebsite: admin,
  getWebsiteSettings: editor,
  updateWebsiteSettings: editor,
  checkWebsite: editor,
  loadDemo: 'user',

  listGoals: viewer,
  getGoal: viewer,
  createGoal: editor,
  updateGoal: editor,
  deleteGoal: editor,
  addReadyGoals: editor,
  listSegments: viewer,
  getSegment: viewer,
  createSegment: editor,
  updateSegment: editor,
  deleteSegment: editor,
  listSavedFunnels: viewer,
  getSavedFunnel: viewer,
  createSavedFunnel: editor,
  updateSavedFunnel: editor,
  deleteSavedFunnel: editor,
  listShareLinks: admin,
  getShareLink: admin,
  createShareLink: admin,
  updateShareLink: admin,
  deleteShareLink: admin,
  unlockShareLink: 'open',
  listAnnotations: viewer,
  getAnnotation: viewer,
  createAnnotation: editor,
  updateAnnotation: editor,
  deleteAnnotation: editor,

  listImports: editor,
  getImport: editor,
  createImport: admin,
  uploadImportPart: admin,
  setImportOptions: admin,
  startImport: admin,
  undoImport: admin,

  submitEvent: 'sender',
  submitEvents: 'sender',
  listEvents: visitors,
  getEvent: events,
  listLatestEvents: visitors,
  getLatestEvent: events,

  getWebsiteProfile: anyone,
  listSegmentNames: anyone,
  getTotals: anyone,
  getTimeseries: anyone,
  getBreakdown: anyone,
  listValues: anyone,
  getGoalStats: anyone,
  getChanges: anyone,
  getDashboard: anyone,
  listDimensions: anyone,
  getRealtime: anyone,
  streamRealtime: anyone,
  listPages: anyone,
  getPage: anyone,
  getImportedStats: viewer,
  getFunnel: viewer,
  getRetention: viewer,
  getJourneys: viewer,
  getAttribution: viewer,
  listCustomEvents: viewer,
  listProperties: properties,
  listPropertyValues: properties,
  listSessions: visitors,
  listVisits: visitors,
  getSession: visitors,
  listVisitors: visitors,
  getVisitor: visitors,
  exportVisitor: events,
  eraseVisitor: admin,
  previewErasure: admin,
  eraseEvents: admin,
  getOverview: 'user',
  query,
  queryBySite: query,
  plausibleVisitors: viewer,
  plausibleAggregate: viewer,
  plausibleTimeseries: viewer,
  plausibleBreakdown: viewer,
} as const satisfies Record<string, Right>;

export type OperationId = keyof typeof RIGHTS;

/** Returns the right of an operation in the type that all have. */
export function rightOf(operation: OperationId): Right {
  return RIGHTS[operation];
}

/** Returns whether a public website answers an operation for everyone. */
export function isForPublic(operation: OperationId): boolean {
  const right = rightOf(operation);
  return typeof right !== 'string' && right.on === 'website' && right.isPublic === true;
}
