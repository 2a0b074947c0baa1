import type { Website, WebsiteSettings } from '../contract/website.ts';
import type { ShownWebsite, WebsiteRow } from './store.ts';

export function toWebsite(row: ShownWebsite, role: Website['role']): Website {
  return {
    id: row.id,
    userId: row.userId ?? '', // an owner has just been found by it: null is for accounts that are gone
    name: row.name,
    domain: row.domain,
    description: row.description,
    trackingCode: row.trackingCode,
    createdAt: new Date(row.createdAtMs).toISOString(),
    updatedAt: new Date(row.updatedAtMs).toISOString(),
    role,
  };
}

export function toSettings(row: WebsiteRow): WebsiteSettings {
  return {
    timezone: row.timezone,
    allowedOrigins: row.allowedOrigins,
    excludedIps: row.excludedIps,
    leavesOutLocalPages: row.leavesOutLocalPages,
    oldIds: row.oldIds,
    retentionDays: row.retentionDays,
    isCountryOnly: row.isCountryOnly,
    isPublic: row.isPublic,
    publicHides: row.publicHides,
    primaryGoalId: row.primaryGoalId,
    anonymous: row.isAnonymous,
  };
}
