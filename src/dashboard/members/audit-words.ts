import type { AuditAction } from '../../vocabulary/access.ts';

export const ACTION_NAMES: Record<AuditAction, string> = {
  'member.invited': 'Invited',
  'member.joined': 'Joined',
  'member.changed': 'Changed the role of',
  'member.removed': 'Removed',
  'member.left': 'Left',
  'invitation.revoked': 'Revoked an invitation',
  'website.created': 'Added a website',
  'website.changed': 'Changed a website',
  'website.settingsChanged': 'Changed settings',
  'website.deleted': 'Deleted a website',
  'website.handedOver': 'Handed a website over',
  'website.received': 'Received a website',
  'link.created': 'Created a share link',
  'link.changed': 'Changed a share link',
  'link.deleted': 'Deleted a share link',
  'events.erased': 'Erased events',
  'visitor.erased': 'Erased a visitor',
  'key.created': 'Created an API key',
  'key.deleted': 'Revoked an API key',
};
