import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseBodyOf } from './response-body.ts';
import { ResponseHeadParser } from './response-head.ts';
import { ProxyFailure } from './ProxyFailure.ts';

interface Response {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

interface Parsed {
  readonly response: Response;
  /** How many bytes followed the response. */
  readonly extraBytes: number;
}

/** What our parser reads from a stream of these buffers that then ends; undefined if it refuses it. */
function parseOurs(buffers: readonly Buffer[], method = 'GET'): Parsed | undefined {
  try {
    return parseBuffers(buffers, method);
  } catch (error) {
    if (error instanceof ProxyFailure) return undefined;
    throw error;
  }
}

function parseBuffers(buffers: readonly Buffer[], method: string): Parsed | undefined {
  const parser = new ResponseHeadParser();
  const data: Buffer[] = [];
  let extraBytes = 0;
  let body: ReturnType<typeof responseBodyOf> | undefined;
  for (const buffer of buffers) {
    const at = body === undefined ? parser.parse(buffer) : 0;
    if (parser.head === undefined) continue;
    body ??= responseBodyOf(parser.head, method);
    const end = body.parse(buffer, at, (bytes) => data.push(Buffer.from(bytes)));
    extraBytes += buffer.length - end;
  }
  const { head } = parser;
  if (head === undefined || body === undefined || !(body.isDone || body.endsWithStream)) return undefined;
  const rawHeaders = head.headers.flatMap(({ name, value }) => [name, value]);
  const response = { status: head.status, rawHeaders, body: Buffer.concat(data).toString('latin1') };
  return { response, extraBytes };
}

let server: Server;
/** The bytes that the server sends before it closes the connection. */
let served: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  server = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(served));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** What Node's strict parser reads from the same bytes; undefined if it refuses them. */
function parseWithNode(bytes: Buffer, method = 'GET'): Promise<Response | undefined> {
  served = bytes;
  return new Promise((resolve) => {
    const { port } = server.address() as AddressInfo;
    const asked = request({ host: '127.0.0.1', port, method, agent: false, insecureHTTPParser: false });
    asked.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
    asked.on('response', (answer) => {
      let body = '';
      answer.setEncoding('latin1').on('data', (text: string) => (body += text));
      answer.on('error', () => resolve(undefined));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, rawHeaders: answer.rawHeaders, body }),
      );
    });
    asked.end();
  });
}

const crlf = '\r\n';
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('Content-Length: 5', 'Transfer-Encoding: chunked', 'X-A: b', 'X-B:\t c d \t'),
  },
  fc.constantFrom(
    'Content-Length: 05',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length: 0x5',
    'content-length:5',
  ),
  fc.constantFrom(
    'Transfer-Encoding: Chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding:',
  ),
  fc.constantFrom(
    ' folded',
    '\tfolded',
    'X-A : b',
    ': b',
    'X A: b',
    'X-A',
    'X-\u00e9: b',
    'X-A: \u00e9',
    'X-A: \u0000',
    'X-A: \u007f',
    'X-A: a\rb',
  ),
  fc.constantFrom('Connection: close', 'Connection: keep-alive', 'Connection: upgrade'),
);
const lineEnd = fc.oneof(
  { weight: 20, arbitrary: fc.constant(crlf) },
  fc.constantFrom('\n', '\r', '\r\r\n', ' \r\n'),
);
const statusLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.0 200 OK',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 204 No Content',
      'HTTP/1.1 304 Not Modified',
    ),
  },
  fc.constantFrom(
    'HTTP/1.1 200',
    'HTTP/1.1 200 ',
    'HTTP/1.2 200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/1.1  200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 20 OK',
    ' HTTP/1.1 200 OK',
  ),
);
const body = fc.oneof(
  fc.constantFrom('', 'hello', 'hello more', 'hell'),
  fc.constantFrom(
    '5\r\nhello\r\n0\r\n\r\n',
    '5;a=b\r\nhello\r\n0\r\nX-T: 1\r\n\r\n',
    '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n',
  ),
  fc.constantFrom(
    '5\nhello\r\n0\r\n\r\n',
    '5 \r\nhello\r\n0\r\n\r\n',
    '0x5\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello0\r\n\r\n',
    '5\r\nhello\n0\r\n\r\n',
    '-5\r\nhello\r\n0\r\n\r\n',
  ),
  fc.constantFrom(
    '5\r\nhello\r\n0\r\nX T: 1\r\n\r\n',
    '5\r\nhello\r\n0\r\n',
    '\r\nhello\r\n0\r\n\r\n',
    'fffffffffffff\r\nhello',
    '5;\u0001\r\nhello\r\n0\r\n\r\n',
  ),
);
const answer = fc
  .record({
    status: statusLine,
    lines: fc.array(fc.tuple(line, lineEnd), { maxLength: 4 }),
    first: lineEnd,
    last: lineEnd,
    body,
  })
  .map(({ status, lines, first, last, body: rest }) =>
    Buffer.from(status + first + lines.flat().join('') + last + rest, 'latin1'),
  );

test('whatever our parser accepts, Node accepts and reads the same', { timeout: 120_000 }, async () => {
  let acceptedCount = 0;
  await fc.assert(
    fc.asyncProperty(answer, fc.constantFrom('GET', 'HEAD'), async (bytes, method) => {
      const ours = parseOurs([bytes], method);
      if (ours === undefined) return;
      acceptedCount += 1;
      const own = bytes.subarray(0, bytes.length - ours.extraBytes);
      expect(await parseWithNode(own, method)).toEqual(ours.response);
    }),
    { numRuns: 3_000 },
  );
  expect(acceptedCount).toBeGreaterThan(200);
});

test('a response may be split anywhere', () => {
  fc.assert(
    fc.property(answer, fc.array(fc.nat(60), { maxLength: 6 }), (bytes, cuts) => {
      const at = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const buffers = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const whole = parseOurs([bytes]);
      expect(parseOurs(buffers.filter(({ length }) => length > 0))).toEqual(whole);
      expect(parseOurs(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
    }),
    { numRuns: 2_000 },
  );
});
