/** Search engines: the search host of a company, never the host of another of its services (see `isSearchHost`). */
export const SEARCH = `
Google google google.* googleplay news.google.* play.google.com video.google.com com.google.android.googlequicksearchbox com.google.android.gsa
Bing bing bing.com com.microsoft.bing
MSN msn msn.com ntp.msn.com
DuckDuckGo duckduckgo ddg duckduckgo.com html.duckduckgo.com start.duckduckgo.com safe.duckduckgo.com noai.duckduckgo.com com.duckduckgo.mobile.android
Yahoo! yahoo yahoo.* search.yahoo.net
Yandex yandex yandex.* ya.ru zen.yandex.ru webmaster.yandex.ru ru.yandex.searchplugin
Baidu baidu baidu.com news.baidu.com com.baidu.searchbox
Ecosia ecosia ecosia.org com.ecosia.android
Qwant qwant qwant.com
Startpage startpage startpage.com ixquick.com ixquick.de ixquick.eu
Brave brave search.brave.com
Kagi kagi kagi.com
Naver naver naver.com com.nhn.android.search
Seznam seznam seznam.cz firmy.cz cz.seznam.sbrowser
Sogou sogou sogou.com soso.com
360 360.cn so.com so.360.cn haosou.com
Shenma m.sm.cn quark.sm.cn
Toutiao_Search so.toutiao.com
Daum daum daum.net
Nate search.nate.com
Mail.ru mail.ru go.mail.ru
Rambler rambler rambler.ru nova.rambler.ru mail.rambler.ru
Ask ask ask.com uk.ask.com de.ask.com
AOL aol aol.com search.aol.* suche.aol.de recherche.aol.fr aolsearch.com
Dogpile dogpile dogpile.com
Lycos lycos lycos.*
Excite excite.*
Babylon babylon search.babylon.com
Conduit conduit search.conduit.com
Biglobe biglobe biglobe.co.jp biglobe.ne.jp
au_one auone search.auone.jp sp-web.search.auone.jp
docomo search.smt.docomo.ne.jp
goo search.goo.ne.jp
nifty search.nifty.com
Rakuten rakuten rakuten.co.jp websearch.rakuten.co.jp
UKR.NET ukr search.ukr.net secureurl.ukr.net
Meta.ua meta.ua
tut.by tut.by search.tut.by
Centrum centrum.cz
Onet onet onet.pl szukaj.onet.pl
Wirtualna_Polska szukaj.wp.pl
Najdi najdi najdi.si
Eniro eniro eniro.se eniro.no
Kvasir kvasir kvasir.no
Startsiden startsiden startsiden.no
Exalead exalead.com
Virgilio virgilio ricerca.virgilio.it
Libero arianna.libero.it
Tiscali search.tiscali.it
Terra terra buscador.terra.com.br
UOL busca.uol.com.br
Sapo pesquisa.sapo.pt
Globo globo
CNN cnn
Comcast comcast search.comcast.net search.xfinity.com
Incredimail incredimail search.incredimail.com
AVG avg avg.nation.com search.avg.com
Search-Results search-results search-results.com
Alice alice rechercher.aliceadsl.fr
Orange lemoteur.orange.fr search.orange.co.uk lemoteur.fr
Free search.free.fr
Bluewin search.bluewin.ch
search.ch search.ch
T-Online suche.t-online.de
GMX suche.gmx.net suche.gmx.at suche.gmx.ch
WEB.DE suche.web.de
1&1 search.1and1.com search.1und1.de
freenet suche.freenet.de
MetaGer metager metager.de metager.org
Mojeek mojeek mojeek.com mojeek.co.uk
Swisscows swisscows swisscows.com swisscows.ch
Presearch presearch presearch.com presearch.org
Petal_Search petalsearch.com
Yep yep.com
Karma karmasearch.org
Ekoru ekoru.org
Lilo lilo.org
OceanHero oceanhero.today
Gibiru gibiru.com
Freespoke freespoke.com
Marginalia marginalia.nu search.marginalia.nu
Mamma mamma.com
WebCrawler webcrawler.com
MetaCrawler metacrawler.com
Info.com info.com
InfoSpace infospace.com
ZapMeta zapmeta.*
Gigablast gigablast.com
EarthLink search.earthlink.net
PeoplePC search.peoplepc.com
HotBot hotbot.com
AltaVista altavista.com
Cốc_Cốc coccoc.com
Walla search.walla.co.il
`;
