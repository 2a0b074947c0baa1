/** Mail in the browser, and apps for mail. A host that begins with `mail.` or `webmail.` need not stand here. */
export const EMAIL = `
Gmail gmail mail.google.com inbox.google.com com.google.android.gm
Outlook outlook hotmail outlook.live.com mail.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft com.microsoft.office.outlook
Yahoo!_Mail yahoomail mail.yahoo.* mail.yahoo.net com.yahoo.mobile.client.android.mail
Proton_Mail protonmail mail.proton.me mail.protonmail.com ch.protonmail.android
AOL_Mail mail.aol.com
GMX gmx deref-gmx.net deref-gmx.com deref-gmx.at deref-gmx.ch 3c.gmx.net navigator.gmx.net
WEB.DE 3c.web.de deref-web.de deref-web-02.de navigator.web.de
mail.com deref-mail.com navigator-lxa.mail.com
1&1 deref-1und1.de
IONOS email.ionos.* mail.ionos.*
T-Online email.t-online.de
freenet webmail.freenet.de
Posteo posteo.de
mailbox.org app.mailbox.org office.mailbox.org
Tuta app.tuta.com mail.tutanota.com
Fastmail app.fastmail.com fastmail.com
HEY app.hey.com
Zoho_Mail mail.zoho.* mail.zohocloud.ca
Mail.ru e.mail.ru touch.mail.ru octavius.mail.ru mail.mail.ru ru.mail.mailapp
Yandex_Mail mail.yandex.* ru.yandex.mail
Seznam_Mail email.seznam.cz
Naver_Mail mail.naver.com
Daum_Mail mail.daum.net mail2.daum.net
163_Mail mail.163.com
126_Mail mail.126.com
QQ_Mail mail.qq.com exmail.qq.com wx.mail.qq.com
UKR.NET_Mail mail.ukr.net
Inbox.com inbox.com
Mastermail mastermail.ru
Beeline post.ru
Sibmail sibmail.com
Bigpond email.telstra.com webmail2.bigpond.com basic.messaging.bigpond.com
Orange messagerie.orange.fr webmail.orange.fr
La_Poste webmail.laposte.net
WP_Poczta poczta.wp.pl
Onet_Poczta poczta.onet.pl poczta.onet.eu
o2_Poczta poczta.o2.pl
Interia_Poczta poczta.interia.pl
Rediffmail f4mail.rediff.com mail.rediff.com
Front app.frontapp.com
Superhuman mail.superhuman.com
Spark com.readdle.spark
Samsung_Email com.samsung.android.email.provider
Thunderbird net.thunderbird.android com.fsck.k9
`;
