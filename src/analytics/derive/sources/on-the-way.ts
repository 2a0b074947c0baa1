/** Hosts that visitors pass through and come back from: where they were before counts. */

/** Where people sign in. */
export const SIGN_IN = `
accounts.google.* accounts.youtube.com accounts.spotify.com signin.ebay.*
login.microsoftonline.com login.microsoft.com login.live.com login.windows.net
appleid.apple.com idmsa.apple.com login.yahoo.com login.yahoo.co.jp login.aol.com login.salesforce.com
passport.yandex.* id.vk.com oauth.vk.com oauth.telegram.org nid.naver.com kauth.kakao.com accounts.kakao.com access.line.me
`;

/** Services that sign people in for others, each below a host of its own; the domain itself is a website like any other. */
export const SIGN_IN_SERVICES =
  'auth0.com okta.com onelogin.com b2clogin.com ciamlogin.com amazoncognito.com';

/** Where people pay. */
export const PAYMENT = `
checkout.stripe.com buy.stripe.com hooks.stripe.com pay.stripe.com paypal.com pay.google.com pay.amazon.* payments.amazon.*
pay.klarna.com checkout.klarna.com payments.klarna.com sofort.com giropay.de paydirekt.de
checkout.mollie.com pay.mollie.com live.adyen.com checkoutshopper-live.adyen.com checkoutshopper-live-us.adyen.com
payments.worldpay.com secure.worldpay.com secure.worldpay.us saferpay.com secure.ogone.com secure.payu.com secure.payu.in
checkout.razorpay.com api.razorpay.com securegw.paytm.in checkout.paddle.com buy.paddle.com pay.gocardless.com
pay.checkout.com 3ds2.checkout.com secure.2checkout.com checkout.square.site secure.authorize.net pay.skrill.com
secure.przelewy24.pl sklep.przelewy24.pl secure.tpay.com gate.gopay.cz payments.comgate.cz paytrail.com nexi.it
twint.ch pay.sumup.com ideal.nl pay.ideal.nl bancontact.com pay.multisafepay.com pay.nl
yoomoney.ru money.yandex.ru securepay.tinkoff.ru cashier.alipay.com mclient.alipay.com openapi.alipay.com wx.tenpay.com
pay.line.me paypay.ne.jp pay.naver.com mercadopago.com.ar mercadopago.com.br mercadopago.com.mx pagseguro.uol.com.br
checkout.afterpay.com portal.afterpay.com checkout.affirm.com secure.splitit.com checkout.alma.eu
`;

/** Pages of a website as a translator serves them. */
export const TRANSLATORS = `
translate.goog translate.google.* translate.googleusercontent.com translate.yandex.* translated.turbopages.org
translatetheweb.com translatoruser-int.net papago.naver.net fanyi.baidu.com
`;
