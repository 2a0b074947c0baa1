/** Shops, marketplaces and what compares their prices. */
export const SHOPPING = `
Amazon amazon amazon.* amzn.to a.co s3.amazonaws.com com.amazon.mshop.android.shopping
eBay ebay ebay.* com.ebay.mobile
Etsy etsy etsy.com
AliExpress aliexpress aliexpress.* s.click.aliexpress.com
Alibaba alibaba alibaba.com message.alibaba.com
Google_Shopping googleshopping shopping.google.*
Instagram_Shopping igshopping
Mercado_Libre mercadolibre mercadolivre mercadolibre.* mercadolivre.com.br
Walmart walmart walmart.* one.walmart.com
Shopify shopify shopify.com apps.shopify.com partners.shopify.com checkout.shopify.com
Shop shop.app
Stripe stripe stripe.com
Shopzilla shopzilla shopzilla.com
Shopping.net shopping.net
SimplyCodes simplycodes simplycodes.com
Naver_Shopping shopping.naver.com
Yahoo!_Shopping shopping.yahoo.com shopping.yahoo.co.jp shopping.yahoo.net
Bing_Shopping bingshopping
Rakuten_Ichiba item.rakuten.co.jp
Temu temu temu.com
Shein shein shein.*
Wish wish.com
Target target.com
Best_Buy bestbuy bestbuy.com
Zalando zalando zalando.*
OTTO otto.de
idealo idealo idealo.*
billiger.de billiger.de
Geizhals geizhals geizhals.de geizhals.at
PriceRunner pricerunner pricerunner.*
Prisjakt prisjakt prisjakt.no prisjakt.nu
PriceSpy pricespy pricespy.co.uk
Kelkoo kelkoo kelkoo.*
Allegro allegro allegro.pl
Ceneo ceneo ceneo.pl
Heureka heureka heureka.cz heureka.sk
Zboží.cz zbozi.cz
bol.com bol.com
Cdiscount cdiscount.com
Flipkart flipkart flipkart.com
Shopee shopee shopee.*
Lazada lazada lazada.*
Tokopedia tokopedia tokopedia.com
Ozon ozon ozon.ru
Wildberries wildberries wildberries.ru
Taobao taobao taobao.com
Tmall tmall tmall.com
JD.com jd.com
Trendyol trendyol trendyol.com
`;
