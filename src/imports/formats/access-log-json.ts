import { toInstantMs } from '../fields.ts';
import type { Format, RowContent } from '../format.ts';
import { type LogRequest, toPageview } from '../log-request.ts';
import { eachJson, firstJson } from '../source/json-lines.ts';

type Json = Record<string, unknown>;

/** Access logs with a JSON object a line: Caddy, Traefik, Cloudflare's Logpush, and the usual formats of nginx. */
export const accessLogJson: Format = {
  name: 'access-log-json',
  matches({ head }) {
    const first = firstJson(head);
    return first !== undefined && toRequest(first) !== undefined;
  },
  columns: {
    'ts, StartUTC, EdgeStartTimestamp, time_iso8601': 'time',
    'uri, RequestPath, ClientRequestURI, request_uri': 'url',
    'host, RequestHost, ClientRequestHost': 'url',
    'Referer, ClientRequestReferer, http_referer': 'referrer',
    'User-Agent, ClientRequestUserAgent, http_user_agent':
      'browser, os, deviceType, visitorId (with the address, as a keyed hash)',
    'remote_ip, ClientHost, ClientIP, remote_addr': 'location, region, city, visitorId',
  },
  read: (files, context) =>
    eachJson(files, (value): RowContent => {
      const request = toRequest(value);
      if (!request) return { leftOut: 'lines that are not requests' };
      return toPageview(request, JSON.stringify(value), context);
    }),
};

/** Undefined for a line that is not about a request. */
function toRequest(value: Json): LogRequest | undefined {
  if (typeof value.request === 'object' && value.request !== null)
    return toCaddy(value, value.request as Json);
  if ('RequestPath' in value) return toTraefik(value);
  if ('ClientRequestURI' in value) return toCloudflare(value);
  return 'remote_addr' in value || 'request_uri' in value ? toNginx(value) : undefined;
}

function toCaddy({ ts, status }: Json, request: Json): LogRequest {
  const headers = (request.headers ?? {}) as Record<string, unknown[]>; // Go's headers: lists by name
  return {
    atMs: toMs(ts),
    host: text(request.host),
    address: text(request.client_ip) ?? text(request.remote_ip) ?? '',
    method: text(request.method) ?? '',
    target: text(request.uri) ?? '',
    status: Number(status),
    referrer: text(headers.Referer?.[0]),
    userAgent: text(headers['User-Agent']?.[0]),
  };
}

function toTraefik(value: Json): LogRequest {
  return {
    atMs: toMs(value.StartUTC ?? value.time),
    host: text(value.RequestHost),
    address: text(value.ClientHost) ?? '',
    method: text(value.RequestMethod) ?? '',
    target: text(value.RequestPath) ?? '',
    status: Number(value.DownstreamStatus),
    referrer: text(value.request_Referer),
    userAgent: text(value['request_User-Agent']),
  };
}

function toCloudflare(value: Json): LogRequest {
  return {
    atMs: toMs(value.EdgeStartTimestamp),
    host: text(value.ClientRequestHost),
    address: text(value.ClientIP) ?? '',
    method: text(value.ClientRequestMethod) ?? '',
    target: text(value.ClientRequestURI) ?? '',
    status: Number(value.EdgeResponseStatus),
    referrer: text(value.ClientRequestReferer),
    userAgent: text(value.ClientRequestUserAgent),
  };
}

function toNginx(value: Json): LogRequest {
  const [method, target] = text(value.request)?.split(' ') ?? [];
  return {
    atMs: toMs(value.time_iso8601 ?? value.time ?? value.timestamp ?? value['@timestamp'] ?? value.msec),
    host: text(value.host) ?? text(value.http_host) ?? text(value.server_name),
    address: text(value.remote_addr) ?? '',
    method: text(value.request_method) ?? text(value.method) ?? method ?? '',
    target: text(value.request_uri) ?? text(value.uri) ?? target ?? '',
    status: Number(value.status),
    referrer: text(value.http_referer) ?? text(value.http_referrer),
    userAgent: text(value.http_user_agent),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const SECONDS_MAX = 1e11;
const MILLISECONDS_MAX = 1e14;
const MICROSECONDS_MAX = 1e17;

/** A text, or a number of seconds, milliseconds, microseconds or nanoseconds. */
function toMs(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (Number.isNaN(number)) return toInstantMs(text(value)) ?? Number.NaN;
  if (number < SECONDS_MAX) return Math.floor(number * 1_000);
  if (number < MILLISECONDS_MAX) return Math.floor(number);
  return Math.floor(number < MICROSECONDS_MAX ? number / 1_000 : number / 1_000_000);
}
