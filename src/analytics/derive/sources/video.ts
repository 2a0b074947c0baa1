/** Places to watch. */
export const VIDEO = `
YouTube youtube yt youtube.com youtu.be com.google.android.youtube
YouTube_Music music.youtube.com
Vimeo vimeo vimeo.com player.vimeo.com
Twitch twitch twitch.tv blog.twitch.tv help.twitch.tv justin.tv tv.twitch.android.app
Dailymotion dailymotion dailymotion.com dai.ly
Netflix netflix netflix.com help.netflix.com jobs.netflix.com
Hulu hulu hulu.com help.hulu.com
Disney+ disneyplus disney+ disneyplus.com
iQIYI iqiyi iqiyi.com iq.com
Youku youku youku.com
TED ted ted.com
Wistia wistia wistia.com wistia.net
Crackle crackle crackle.com
CuriosityStream curiositystream curiositystream.com
D.tube d.tube
Utreon utreon utreon.com
Veoh veoh veoh.com
Viadeo viadeo.journaldunet.com
Rumble rumble rumble.com
Odysee odysee odysee.com
Bilibili bilibili bilibili.com b23.tv
Niconico_Video nico.ms
Rutube rutube rutube.ru
Kick kick.com
PeerTube peertube joinpeertube.org
Loom loom.com
`;
