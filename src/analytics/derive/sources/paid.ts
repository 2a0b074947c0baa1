/** Hosts that serve advertisements, and words of campaigns that say so: visits from them are paid. */

/** Advertisements among the results of a search. */
export const PAID_SEARCH = `
Google gads adwords googleadwords googleads.g.doubleclick.net syndicatedsearch.goog adsensecustomsearchads.com tdsf.doubleclick.net googleadservices.com adservice.google.* adclick.g.doubleclick.net
Bing adcenter microsoftads microsoftadvertising
Apple applesearchads
Yandex an.yandex.* yabs.yandex.* direct.yandex.*
`;

/** In shops. */
export const PAID_SHOPPING = `
Amazon aax.amazon-adsystem.com amazon-adsystem.com
`;

/** Banners, and what looks like an article of the page. */
export const DISPLAY = `
Google doubleclick dv360 cm360 doubleclick.net googlesyndication.com 2mdn.net imasdk.googleapis.com
Acuity_Ads acuityplatform.com
Adform adform.net
ADFOX adfox.ru
Adition adition.com
AdNET adnet.de
AdRoll adroll adroll.com
AdSpirit adspirit.de rtbcity.com plusperformance.com
Xandr adnxs.com 247realmedia.com
AudienceScience wunderloop.net
BidSwitch bidswitch.net
Index_Exchange casalemedia.com
Criteo criteo criteo.com criteo.net
Eyeota eyeota.net
Flashtalking flashtalking.com
Fluct adingo.jp
LifeStreet lfstmedia.com
LowerMyBills lowermybills.com
Jivox jivox.com
MicroAd microad.jp
Mixpo mixpo.com
Neustar adadvisor.net
Nexage nexage.com
OpenX openx.net servedbyopenx.com openxenterprise.com
Outbrain outbrain paid.outbrain.com traffic.outbrain.com
plista plista plista.com
PubMatic pubmatic.com
Magnite rubiconproject.com
Sizmek serving-sys.com
Sociomantic sociomantic.com
Sonobi sonobi.com
Sovrn lijit.com sovrn.com
SteelHouse steelhousemedia.com
StickyADS.tv stickyadstv.com
Taboola taboola taboola.com taboolanews.com
Teads teads teads.tv
Tribal_Fusion tribalfusion.com
Yieldmo yieldmo.com
ZEDO zedo.com
Smart_AdServer smartadserver.com
Media.net media.net
MGID mgid mgid.com
Revcontent revcontent revcontent.com
The_Trade_Desk adsrvr.org
Adsterra adsterra.com
PropellerAds propellerads.com
AppLovin applovin.com
Unity_Ads unityads.unity3d.com
Kargo kargo.com
GumGum gumgum.com
Seedtag seedtag.com
`;
