import type { Channel } from '../../vocabulary/analytics.ts';
import type { SourceKind } from './sources.ts';

export type ChannelInput = {
  /** The kind of the source, when sources.ts knows it. */
  kind: SourceKind | undefined;
  /** Source as defined in docs/definitions.md; empty without one. */
  source: string;
  medium: string;
  campaign: string;
  /** The source is paid for, or the address carries the mark of a paid click. */
  isPaid: boolean;
  /** The source serves banners, or the address carries the mark of a banner. */
  isDisplay: boolean;
};

const PAID = /^(.*cp.*|ppc|retargeting|paid.*)$/;
const DISPLAY = new Set(['display', 'banner', 'expandable', 'interstitial', 'cpm']);
const SOCIAL = new Set(['social', 'social-network', 'social-media', 'sm', 'social network', 'social media']);
const EMAIL = new Set(['email', 'e-mail', 'e_mail', 'e mail', 'newsletter']);
const SHOPPING_CAMPAIGN = /^(.*(([^a-df-z]|^)shop|shopping).*)$/;

/**
 * The default channel groups of Google Analytics 4, with AI assistants added: the first rule that holds decides.
 * Source, medium and campaign are compared in lower case.
 */
export function toChannel(input: ChannelInput): Channel {
  const { kind } = input;
  const source = input.source.toLowerCase();
  const medium = input.medium.toLowerCase();
  const campaign = input.campaign.toLowerCase();
  const isPaid = input.isPaid || PAID.test(medium);
  const isShopping = kind === 'shopping' || SHOPPING_CAMPAIGN.test(campaign);

  if (campaign.includes('cross-network')) return 'Cross-network';
  if (isShopping && isPaid) return 'Paid Shopping';
  if (kind === 'search' && isPaid) return 'Paid Search';
  if (kind === 'social' && isPaid) return 'Paid Social';
  if (kind === 'video' && isPaid) return 'Paid Video';
  if (input.isDisplay || DISPLAY.has(medium)) return 'Display';
  if (isPaid) return 'Paid Other';
  if (isShopping) return 'Organic Shopping';
  if (kind === 'social' || SOCIAL.has(medium)) return 'Organic Social';
  if (kind === 'video' || medium.includes('video')) return 'Organic Video';
  if (kind === 'search' || medium === 'organic') return 'Organic Search';
  if (kind === 'ai') return 'AI Assistants';
  if (kind === 'email' || EMAIL.has(source) || EMAIL.has(medium)) return 'Email';
  if (medium === 'affiliate') return 'Affiliates';
  if (medium === 'audio') return 'Audio';
  if (source === 'sms' || medium === 'sms') return 'SMS';
  if (medium.endsWith('push') || /mobile|notification/.test(medium) || source === 'firebase')
    return 'Mobile Push';
  return source === '' ? 'Direct' : 'Referral';
}
