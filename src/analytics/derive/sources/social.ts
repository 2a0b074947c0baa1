/** Where people meet, talk, and share links. */
export const SOCIAL = `
Facebook facebook fb meta facebook.* fb.com fb.me fb.watch business.facebook.com com.facebook.katana com.facebook.lite
Messenger messenger messenger.com m.me com.facebook.orca
Instagram instagram ig instagram.com com.instagram.android
Threads threads threads.net threads.com com.instagram.barcelona
X x twitter twitter.com x.com t.co tweetdeck tweetdeck.com com.twitter.android
LinkedIn linkedin linkedin.com lnkd.in com.linkedin.android
Reddit reddit reddit.com redd.it com.reddit.frontpage
Pinterest pinterest pinterest.* pin.it com.pinterest
Hacker_News hackernews hn news.ycombinator.com hckrnews.com
Mastodon mastodon mastodon.* mastodonapp.uk phanpy.social elk.zone fosstodon.org mstdn.social hachyderm.io mas.to infosec.exchange chaos.social techhub.social mstdn.jp pawoo.net troet.cafe org.joinmastodon.android
Bluesky bluesky bsky bsky.app go.bsky.app xyz.blueskyweb.app
TikTok tiktok tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill
Snapchat snapchat snap snapchat.com com.snapchat.android
Telegram telegram telegram.org t.me telegram.me org.telegram.messenger org.telegram.messenger.web org.thunderdog.challegram
WhatsApp whatsapp whatsapp.com wa.me com.whatsapp com.whatsapp.w4b
Signal org.thoughtcrime.securesms
Discord discord discord.com discordapp.com discord.gg com.discord
Slack slack slack.com com.slack
Microsoft_Teams teams.microsoft.com teams.live.com teams.cloud.microsoft statics.teams.cdn.office.net com.microsoft.teams
Skype skype skype.com web.skype.com
Viber viber viber.com com.viber.voip
LINE line line.me liff.line.me jp.naver.line.android
KakaoTalk kakao kakaotalk kakao.com kakaocorp.com com.kakao.talk
WeChat wechat weixin wechat.com weixin.qq.com mp.weixin.qq.com weixin110.qq.com com.tencent.mm
Zalo zalo chat.zalo.me zalo.me com.zing.zalo
VK vk vkontakte vk.com vk.ru vkontakte.ru com.vkontakte.android
Odnoklassniki odnoklassniki ok.ru odnoklassniki.ru odnoklassniki.ua ru.ok.android
My_World my.mail.ru
Tumblr tumblr tumblr.com t.umblr.com com.tumblr
Quora quora quora.com com.quora.android
Weibo weibo weibo.com weibo.cn t.cn com.sina.weibo
Xiaohongshu xiaohongshu rednote xiaohongshu.com rednote.com xhslink.com com.xingin.xhs
Douyin douyin douyin.com com.ss.android.ugc.aweme
Zhihu zhihu zhihu.com
Douban douban douban.com
Qzone qzone qzone.qq.com
Tieba tieba tieba.baidu.com zhidao.baidu.com
Renren renren renren.com
Lobsters lobsters lobste.rs
Lemmy lemmy lemmy.world lemmy.ml
Stack_Overflow stackoverflow stackoverflow.com
Stack_Exchange stackexchange stackexchange.com
Super_User superuser superuser.com
Server_Fault serverfault serverfault.com
Ask_Ubuntu askubuntu askubuntu.com
Stack_Apps stackapps stackapps.com
Medium medium medium.com link.medium.com com.medium.reader
Flipboard flipboard flipboard.com flip.it flipboard.app
Disqus disqus disqus.com disq.us
XING xing xing.com away.xing.com
LiveJournal livejournal livejournal.com
Hatena hatena b.hatena.ne.jp d.hatena.ne.jp hatenablog.com hatenablog.jp
note note.com
Ameba ameba ameblo.jp ameba.jp
Mixi mixi mixi.jp
Niconico niconico nicovideo.jp
Naver_Blog blog.naver.com m.blog.naver.com
Naver_Cafe cafe.naver.com m.cafe.naver.com
Naver_Knowledge_iN kin.naver.com m.kin.naver.com
Daum_Cafe cafe.daum.net
Tistory tistory.com
Yahoo!_Answers answers.yahoo.com
Yahoo!_Chiebukuro chiebukuro.yahoo.co.jp
Google+ google+ googleplus plus.google.com url.google.com plus.url.google.com com.google.android.apps.plus
Google_Messages messages.google.com com.google.android.apps.messaging
Google_Groups googlegroups.com
Blogger blogger blogspot blogger.com draft.blogger.com blogspot.*
WordPress wordpress wordpress.com wordpress.org
Flickr flickr flickr.com
DeviantArt deviantart deviantart.com
Behance behance behance.net
Dribbble dribbble dribbble.com
ArtStation artstation.com
Pixiv pixiv.net
Goodreads goodreads goodreads.com
Wattpad wattpad wattpad.com
Yelp yelp yelp.* m.yelp.com
Tripadvisor tripadvisor tripadvisor.*
Foursquare foursquare foursquare.com
Meetup meetup meetup.com
Nextdoor nextdoor nextdoor.* com.nextdoor
Gab gab.com
Truth_Social truthsocial.com
Parler parler.com
MeWe mewe.com
Minds minds.com
Clubhouse clubhouse.com joinclubhouse.com
BeReal bere.al
Gettr gettr.com
Pixelfed pixelfed pixelfed.social pixelfed.de
SoundCloud soundcloud soundcloud.com
Patreon patreon patreon.com
Workplace workplace.com
Viva_Engage yammer yammer.com engage.cloud.microsoft
Buffer buffer buffer.com
Hootsuite hootsuite hootsuite.com ow.ly
Linktree linktree linktr.ee
Bitly bitly bit.ly
TinyURL tinyurl tinyurl.com
Pocket pocket getpocket.com pocket.co
Instapaper instapaper instapaper.com
Digg digg digg.com
Slashdot slashdot.org
Fark fark fark.com
V2EX v2ex.com
Plurk plurk plurk.com
Fandom fandom fandom.com
Glassdoor glassdoor glassdoor.*
Trustpilot trustpilot
Social social
- 43things(.com) 51.com 5ch.net academia.edu activerain(.com) activeworlds(.com) addthis(.com) airg.ca
- allnurses.com allrecipes.com alumniclass(.com) americantowns(.com) ancestry.com anobii(.com) answerbag(.com)
- aolanswers(.com) asmallworld.com athlinks(.com) awe.sm baby-gaga(.com) babyblog.ru badoo(.com) bebo(.com)
- beforeitsnews(.com) bharatstudent(.com) biip.no biswap.org blackcareernetwork.com blackplanet(.com) blip.fm
- blog.com blog.feedspot.com blog.goo.ne.jp blog.yahoo.co.jp blogg.no bloggang.com blogher(.com)
- bloglines(.com) blogs.com blogsome(.com) blogster(.com) blurtit(.com) bookmarks.yahoo.co.jp
- bookmarks.yahoo.com brightkite(.com) brizzly(.com) buzzfeed(.com) buzznet(.com) cafemom(.com)
- camospace(.com) canalblog.com care.com care2(.com) caringbridge.org catster(.com) cbnt.io cellufun(.com)
- centerblog.net chegg.com chicagonow(.com) classmates(.com) classquest(.com) cocolog-nifty(.com)
- copainsdavant.linternaute.com couchsurfing.org cozycot(.com) cross.tv crunchyroll(.com) cyworld(.com)
- dailystrength.org deluxe.com dianping(.com) diigo(.com) discover.hubpages.com dogster(.com) dol2day(.com)
- doostang(.com) dopplr(.com) douyu.com draugiem.lv drugs-forum(.com) dzone(.com) edublogs.org elftown(.com)
- epicurious.com everforo.com exblog.jp extole(.com) faceparty(.com) fanpop(.com) fc2(.com) feedspot
- feministing(.com) fetlife.com filmaffinity(.com) folkdirect(.com) foodservice(.com)
- forums.androidcentral.com forums.crackberry.com forums.imore.com forums.nexopia.com forums.webosnation.com
- forums.wpcentral.com fotki(.com) fotolog(.com) friendfeed(.com) friendster.com fruehstueckstreff.org
- fubar(.com) gaiaonline(.com) gamerdna(.com) gather.com geni.com glassboard(.com) godtube(.com) goldenline.pl
- goldstar(.com) goo.gl gooblog govloop(.com) gowalla(.com) gree.jp gulli.com gutefrage.net habbo(.com)
- hi5(.com) houzz(.com) hoverspot(.com) hr.com hubculture(.com) hubpages.com huya.com hyves.net hyves.nl
- ibibo(.com) identi.ca imageshack(.com) imageshack.us imvu(.com) insanejournal(.com) internations.org
- interpals.net intherooms(.com) irc-galleria.net is.gd italki(.com) jammerdirect(.com) jappy.com jappy.de
- kaboodle.com kaneva(.com) last.fm librarything(.com) lifestream.aol.com listal(.com) listography(.com)
- livedoor.com livedoorblog mbga.jp meetin.org meinvz.net meneame.net menuism.com messages.yahoo.co.jp
- missevan.com mix.com mocospace(.com) moikrug.ru mouthshut(.com) movabletype(.com) mubi(.com) multiply.com
- my.opera.com myanimelist.net myheritage(.com) mylife(.com) mymodernmet(.com) myspace(.com) netlog.com
- netvibes(.com) newsshowcase nexopia ngopost.org nightlifelink(.com) ning(.com) nk.pl okwave.jp
- oneworldgroup.org onstartups(.com) opendiary(.com) orkut.com oshiete.goo.ne.jp over-blog.com overblog.com
- paper.li partyflock.nl peepeth.com photobucket(.com) pinboard(.in) pingsta(.com) plaxo.com playahead.se
- posterous(.com) pro.homeadvisor.com pulse.yahoo.com qapacity(.com) quechup(.com) ravelry(.com) redux(.com)
- researchgate.net reunion(.com) reverbnation(.com) rtl.de ryze(.com) salespider(.com) scoop.it
- screenrant(.com) scribd(.com) scvngr(.com) secondlife(.com) shareit sharethis(.com) shvoong.com skyfeed.app
- skyrock(.com) slideshare.net smartnews.com sociallife.com.br socialvibe(.com) sonico.com spaces.live.com
- spoke(.com) spruz(.com) ssense.com stardoll.com stickam(.com) studivz.net stumbleupon.com suomi24.fi
- sweeva(.com) tagged(.com) taggedmail(.com) talkbiznow(.com) taringa.net techmeme(.com) tencent(.com)
- toolbox(.com) travellerspoint(.com) trombi(.com) tudou(.com) tuenti(.com) twitcasting.tv twoo.com
- typepad(.com) unblog.fr urbanspoon.com ushareit.com ushi.cn vampirefreaks(.com) vampirerave(.com) vg.no
- viadeo.com video.ibm.com wakoopa(.com) wayn.com webshots(.com) weebly(.com) weeworld.com wer-weiss-was.de
- weread(.com) wiki.answers.com wikihow.com wikitravel.org woot.com xanga(.com) yahoo-mbga.jp youroom.in
- zoo.gr zooppa(.com)
`;
