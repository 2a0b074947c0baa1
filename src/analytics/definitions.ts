/**
 * # What the figures mean
 *
 * The one place where each word is defined. The engine and the tests' own naive implementation are both written from
 * this text. Instants are whole milliseconds, ranges are half-open [from, to).
 *
 * ## Events, classes, selection
 *
 * *Event*: one row of the log. Its time is `created_at_ms`. Events of the same time are in the order of their key (the
 * order in which they were stored): "before", "first" and "last" always compare (time, key).
 *
 * *Class* of an event: `excluded` when its flag `excluded` is set; else `bot` when the flag `bot` is set; else `people`.
 * *Traffic*: `people` (the default) means the events of class people, `bots` those of class bot, `all` every event.
 *
 * *Selection*: a website, a range, traffic and a filter. The *matching events* are the events of that website, in that
 * traffic, whose time is in the range and that pass the filter. EVERY FIGURE IS A FUNCTION OF THE MATCHING EVENTS and
 * of the visits that they belong to.
 *
 * ## Visitor, visit, session
 *
 * *Visitor*: one distinct `visitorId` of a website.
 *
 * *Visit*: take the events of one visitor on one website in the chosen traffic (whatever the range, whatever the filter)
 * in their order; where the time from one event to the next is more than 30 minutes (30:00.000 is still the same
 * visit), a new visit begins. Visits go across sessionIds (tabs) and across midnight, and have no greatest length.
 * (Of what goes on all day for longer, a question sees forty days beyond its range.) Clicks and custom events keep a visit
 * going just like pageviews. A visit exists apart from any range: a range that cuts through it does not shorten it.
 *
 * *Session*: one distinct `sessionId` of a website, as the client sent it. Used in the list of sessions only.
 *
 * ## Attributes of a visit (always of the whole visit, never of the part inside a range or filter)
 *
 * - *duration*: time of its last event − time of its first event.
 * - *bounce*: it has exactly one pageview and no other event.
 * - *entryPage*, *exitPage*: the page of its first, its last pageview; absent when it has no pageview.
 * - *origin* (referrer, source, channel, utm…): derived from `url` and `referrer` of its first event, of whatever type.
 * - *client* (country, deviceType, browser, os, language, screen): the columns of its first event, of whatever type.
 *
 * ## Metrics of a set of matching events
 *
 * - *visitors*: distinct visitors of these events. Exact.
 * - *visits*: distinct visits that have at least one of these events.
 * - *pageviews*: those of type pageview. *events*: all of them, pageviews and clicks included.
 * - *viewsPerVisit*: pageviews ÷ visits.
 * - *bounceRate*: of those visits, the part that are bounces (0 to 1).
 * - *visitDuration*: mean duration of those visits, in seconds, bounces included as 0.
 *
 * A quotient without visits is 0. Consequences: visitors ≤ visits ≤ events. A visit that straddles the border of two
 * ranges or buckets counts in both, because it has events in both; so do visitors. Pageviews and events are additive
 * over buckets and over the values of `page`, visits and visitors are not. A visit's bounce and duration do not depend
 * on the range or on a filter of events: "bounce rate of visits that saw /pricing" is about whole visits.
 *
 * *Series*: the same metrics of the matching events of each bucket. *Breakdown*: the same metrics of the matching
 * events of each value of a dimension. For a dimension of visits, the value of an event is that of its visit. Without
 * `withAbsent`, events without a value have no row. The default order is by visitors, descending; equal ones by value,
 * ascending by UTF-16 code units (`<` of JavaScript), the absent value first. Sorting by `value` compares the same way.
 * `search` keeps values that contain the text, both lower-cased by toLowerCase; it keeps the row of absent values out. An
 * empty `search` is none. Sorting by a metric orders by it whether `metrics` lists it or not. Bounds of no bucket (an empty
 * list, or one instant) give an empty series.
 *
 * ## Dimensions of events
 *
 * Let URL be the WHATWG URL of the event's `url`; when it cannot be parsed, page is the text itself and the rest is
 * absent. Texts of the dictionary (everything but property values) have U+0000 and lone surrogates replaced by U+FFFD.
 * An empty text is the same as an absent value everywhere.
 *
 * - *page*: URL.pathname, as it is: percent-encoded, with the case and the trailing slash that were sent. Query and
 *   fragment are no part of it. Never absent.
 * - *hostname*: URL.hostname (lower case, without port). Kept with `www.`.
 * - *eventType*: pageview, click, custom.
 * - *event*: for a custom event, the string `properties.name`; absent for other types, or when it is no string.
 * - *property:KEY*: the value of the key KEY at the top level of `properties`: a string as it is, a number or boolean as
 *   JavaScript's String() writes it, a list or object as its JSON text (JSON.stringify); null and missing are absent.
 *   Of keys of one event that are the same text after the replacement above, the last that is present counts. Of one
 *   website and UTC day the first 1,000 different keys (in the order in which events were stored, within an event in the
 *   order of the object) are kept; further ones are absent. A key takes one of these places with its first value that is
 *   neither null nor empty.
 *
 * ## Dimensions of visits
 *
 * *Client*: country is `location`; deviceType, browser, os, language and screen are the columns of the same name, as sent.
 *
 * *utmSource, utmMedium, utmCampaign, utmContent, utmTerm*: the first `utm_source` … of URL.searchParams, trimmed.
 *
 * *referrer*: the host of `referrer`: URL.hostname without a leading `www.`. Absent when it cannot be parsed, or when it
 * is the host of the event's own url (also without `www.`): moving within the website is not a referral.
 *
 * *source*: the first of these that is there: utmSource; the query parameters `ref`, then `source` of the url (trimmed);
 * the referrer. When findSource of sources.ts knows it (by the word, or by the host and its parents: `m.facebook.com` →
 * `facebook.com`), it is replaced by the source's name ("Google", "Facebook"); another text stays as it is. Absent: the
 * visit is direct.
 *
 * *channel*: by the rules of channel.ts, in its order; never absent (without source and campaign: Direct).
 *
 * ## Filters
 *
 * A filter is a condition on one event and its visit. A leaf on a dimension of events looks at the event; on a dimension
 * of visits, at the visit's attribute. and, or, not combine them for each event by itself: `page is /a and page is /b`
 * matches nothing. A visit counts when one of its events matches. An absent value compares as the empty text.
 *
 * - *is*: equals one of the values. *is_not*: equals none of them (so absent values pass).
 * - *contains*, *starts_with*, *ends_with*: holds for one of the values, both sides lower-cased by toLowerCase.
 *   *contains_not*: contains none of them. An empty value is contained in everything.
 *
 * An empty list of values: `is`, `contains`, … match nothing; `…_not` match everything.
 * An `and` or `or` of nothing is a 400 wherever somebody writes one. An empty list of filters is no condition, so everything
 * matches; to the engine it is an `and` of nothing, and an `or` of nothing matches nothing.
 *
 * ## Comparison
 *
 * What a range is compared with is a range like any other; the engine is asked about both. *Previous*: the range of the
 * same length before, by the calendar of the zone where the range is made of days or months. *Year*: the same days a year
 * before. A range that holds now ([from, to) with from ≤ now < to) is compared with the same part: the earlier range ends
 * where the clocks of the zone showed the time of now on the corresponding day, or with the month when it has no such day.
 * Nothing is compared with all of time.
 *
 * ## Realtime
 *
 * `now` is an instant given by the caller. Online: distinct visitors with a matching event in (now − 5 min, now]. The
 * thirty minutes end with (now − 1 min, now]. Lists: visitors and events of the matching events of the five minutes, in the
 * default order of breakdowns; at most `limit` rows; absent values of page and event have no row, absent sources and
 * countries have one. `startMs` of a minute is its exclusive start.
 *
 * ## Lists
 *
 * *Sessions*: one row for each session that has a matching event. first, last, pageviews, events, entryPage and exitPage
 * (first and last pageview) are those of its matching events; the visitor, client and origin are those of the visit of
 * its first matching event. Order: last, descending, then the key of the last event, descending.
 *
 * *Visitors*: one row for each visitor with a matching event; first, last, pageviews, events are of the matching
 * events, visits is the metric; the client is of the visit of the last matching event. Order: as for sessions.
 *
 * *Pages*: the breakdown by page, by default in the order of visitors, with *entries* (distinct visits of the matching
 * events whose entryPage is that page), *exits* (likewise exitPage) and *exitRate* (exits ÷ visits, 0 without visits).
 * Entries and exits are of all visits of the matching events, visits are those that have one of these on the page: a
 * range or filter can cut a page off from the visit that ended there, so exitRate may be more than 1. A page alone also
 * has *sources* and *referrers* of its matching events: sources with a row of those without one (direct), referrers
 * without. *Previous* and *next* of a page: for each matching pageview of the page, the page of the nearest pageview
 * before (after) it in its visit that is of another page; absent when there is none.
 *
 * *One session*, *one visitor*: the row of the list over all time and all traffic, and its events in pages: of a session in
 * their order, of a visitor the newest first. How many there are is the `events` of the row. *Export* of a visitor: every
 * event of all time and all traffic, in their order.
 *
 * *Custom events*: for each value of `event` its events and visitors, by visitors. *Property keys*: for each key that is
 * present (not null) its matching events and visitors, by events. *Property values*: the breakdown by property:KEY, with
 * sum, average, least and greatest of the values that are JSON numbers: of all matching events, whatever `search` says.
 *
 * *Headlines*: visitors, visits and pageviews of the events of people in a range, and the visitors of each bucket of it.
 *
 * ## Late events, repeats, removal
 *
 * Figures follow from the log alone, not from the order of arrival (but for ties of time): an event that arrives late
 * with an older time changes the day it belongs to, may join two visits into one, and may take over as the first event
 * of its visit. A repeat is not in the log twice, so it does not count twice. Removed events are as if never stored.
 */
export {};
