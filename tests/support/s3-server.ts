import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A small S3 server for one bucket in memory: objects, uploads in parts, lists in pages. It checks every request's
 * signature (AWS Signature Version 4) by itself, from the published algorithm. Packages that do the same are years old
 * (s3rver: last release 2021, with an XML parser and an upload parser of that time).
 */

export const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const BUCKET = 'backups';
const REGION = 'eu-test-1';
/** S3 gives 1,000; few of them make a test of the pages. */
const NAMES_A_PAGE = 2;
const PART_BYTES_MIN = 5 * 1024 * 1024;

export function startS3Server() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let uploadCount = 0;
  let largestParts = 0;
  /** Changes what is stored, as a failing disk would. */
  let spoil: ((name: string, bytes: Buffer) => Buffer) | undefined;

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 1024 ** 3,
    async fetch(request) {
      const body = Buffer.from(await request.arrayBuffer());
      if (!isSigned(request, body)) return refuse(403, 'SignatureDoesNotMatch');
      const url = new URL(request.url);
      const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/');
      if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
      return answer(request.method, path.join('/'), url.searchParams, body);
    },
  });

  function answer(method: string, name: string, query: URLSearchParams, body: Buffer): Response {
    const uploadId = query.get('uploadId');
    if (method === 'GET' && query.get('list-type') === '2') return list(query);
    if (method === 'POST' && query.has('uploads')) return begin();
    if (uploadId !== null) return continueUpload(method, name, uploadId, query, body);
    if (method === 'PUT') return store(name, body);
    if (method === 'DELETE') {
      objects.delete(name);
      return new Response(null, { status: 204 });
    }
    const object = objects.get(name);
    if (!object) return refuse(404, 'NoSuchKey');
    return new Response(method === 'HEAD' ? null : Uint8Array.from(object), {
      headers: { 'Content-Length': String(object.length), ETag: etagOf(object) },
    });
  }

  function store(name: string, bytes: Buffer): Response {
    objects.set(name, spoil ? spoil(name, bytes) : bytes);
    return new Response(null, { headers: { ETag: etagOf(bytes) } });
  }

  function begin(): Response {
    uploadCount += 1;
    uploads.set(`upload-${uploadCount}`, new Map());
    return xml(
      `<InitiateMultipartUploadResult><Bucket>${BUCKET}</Bucket><UploadId>upload-${uploadCount}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  function continueUpload(
    method: string,
    name: string,
    uploadId: string,
    query: URLSearchParams,
    body: Buffer,
  ): Response {
    const parts = uploads.get(uploadId);
    if (!parts) return refuse(404, 'NoSuchUpload');
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body);
      return new Response(null, { headers: { ETag: etagOf(body) } });
    }
    uploads.delete(uploadId);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]*)<\/ETag>/g)];
    const chosen = named.map(([, number]) => parts.get(Number(number)));
    const isWhole = named.every(
      ([, , etag = ''], index) => etag.replaceAll('&quot;', '"').replaceAll('"', '') === hex(chosen[index]),
    );
    if (named.length === 0 || !isWhole) return refuse(400, 'InvalidPart');
    if (chosen.slice(0, -1).some((part) => (part?.length ?? 0) < PART_BYTES_MIN))
      return refuse(400, 'EntityTooSmall');
    largestParts = Math.max(largestParts, chosen.length);
    store(name, Buffer.concat(chosen.map((part) => part ?? Buffer.alloc(0))));
    return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  function list(query: URLSearchParams): Response {
    const after = query.get('continuation-token') ?? '';
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after)
      .sort();
    const page = names.slice(0, NAMES_A_PAGE);
    const isTruncated = names.length > page.length;
    return xml(
      `<ListBucketResult><Name>${BUCKET}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>` +
        (isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '') +
        page.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join('') +
        '</ListBucketResult>',
    );
  }

  return {
    objects,
    environment: {
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      BACKUP_S3_REGION: REGION,
      BACKUP_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    address: (path: string) => `s3://${BUCKET}/${path}`,
    unfinishedUploads: () => uploads.size,
    largestParts: () => largestParts,
    spoilWith(change: typeof spoil) {
      spoil = change;
    },
    stop: () => server.stop(true),
  };
}

/** docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned(request: Request, body: Buffer): boolean {
  const authorization = request.headers.get('authorization') ?? '';
  const [, scope = '', signedHeaders = '', signature = ''] =
    authorization.match(
      /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/,
    ) ?? [];
  const [keyId, day = '', region, service, end] = scope.split('/');
  if (keyId !== KEYS.accessKeyId || region !== REGION || service !== 's3' || end !== 'aws4_request')
    return false;
  const declared = request.headers.get('x-amz-content-sha256') ?? '';
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(body)) return false;
  const url = new URL(request.url);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${request.headers.get(name)?.trim() ?? ''}\n`)
    .join('');
  const canonical = [request.method, url.pathname, query, headers, signedHeaders, declared].join('\n');
  const toSign = [
    'AWS4-HMAC-SHA256',
    request.headers.get('x-amz-date'),
    scope.split('/').slice(1).join('/'),
    sha256(canonical),
  ].join('\n');
  const key = [day, REGION, 's3', 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${KEYS.secretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(toSign).digest('hex');
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hex(part: Buffer | undefined): string {
  return part ? createHash('md5').update(part).digest('hex') : '';
}

function etagOf(bytes: Buffer): string {
  return `"${hex(bytes)}"`;
}

function xml(content: string, status = 200): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${content}`, {
    status,
    headers: { 'Content-Type': 'application/xml' },
  });
}

function refuse(status: number, code: string): Response {
  return xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}
