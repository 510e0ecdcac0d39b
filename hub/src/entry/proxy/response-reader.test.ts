import { MemoryScheduler, MemoryTransport, MultiplexConnection, type Channel } from '@corral/multiplex';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeviceStream } from './DeviceStream.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { ResponseReader } from './ResponseReader.ts';

interface Response {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A connection to a device in memory, and its end at the device. */
function connectDevice() {
  const scheduler = new MemoryScheduler(() => new Promise((resolve) => setImmediate(resolve)));
  const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 0 });
  const now = (): number => scheduler.nowMs;
  const accepted: Channel[] = [];
  const device = new MultiplexConnection({
    transport: far,
    now,
    onChannelRequest: (request) => void accepted.push(request.accept()),
  });
  return { hub: new MultiplexConnection({ transport: near, now }), device, accepted, scheduler };
}

const link = connectDevice();

/** What the reader gets from a device that sends these buffers and then closes the connection; undefined if it refuses them. */
async function readResponse(buffers: readonly Buffer[], method = 'GET'): Promise<Response | undefined> {
  const opening = link.hub.openChannel('forward/tcp/80');
  // The number of control frames in a second is limited.
  await link.scheduler.advance(100);
  const stream = new DeviceStream(
    await opening,
    () => 0,
    () => undefined,
  );
  const reader = new ResponseReader(stream);
  stream.dispatch({ method, path: '/', headers: ['Host', 'device'], reset: false }, reader);
  const response = collect(reader);
  await link.scheduler.advance(0);
  const atDevice = link.accepted.shift();
  for (const buffer of buffers) atDevice?.write(buffer).catch(() => undefined);
  atDevice?.end();
  await link.scheduler.advance(0);
  const read = await response;
  stream.close();
  atDevice?.stopReading();
  await link.scheduler.advance(0);
  return read;
}

async function collect(reader: ResponseReader): Promise<Response | undefined> {
  try {
    const { status, headers } = await reader.head;
    let body = '';
    await reader.readParts((part) => (body += part.toString('latin1')));
    return { status, headers: headers.flatMap(({ name, value }) => [name, value]), body };
  } catch (error) {
    if (error instanceof ProxyFailure) return undefined;
    throw error;
  }
}

const head =
  /^HTTP\/1\.[01] ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n((?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*)\r\n/;
const chunk = /^([0-9A-Fa-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n/;
const trailers = /^(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/;

/** What the strict grammar of RFC 9112 says that these bytes are; undefined if they are no complete response. */
function parseStrictly(text: string, method: string): Response | undefined {
  const [whole = '', code, lines = ''] = head.exec(text) ?? [];
  const status = Number(code);
  if (code === undefined || status === 101) return undefined;
  if (status < 200) return parseStrictly(text.slice(whole.length), method);
  const headers = lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])
    .map((field) => field.replaceAll(/^[\t ]+|[\t ]+$/g, ''));
  const framing = headers.flatMap((name, index) =>
    index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name) ? [headers[index + 1] ?? ''] : [],
  );
  if (framing.length > 1 || !framing.every((value) => /^(?:\d+|chunked)$/i.test(value))) return undefined;
  const body = bodyOf(
    text.slice(whole.length),
    framing[0],
    method === 'HEAD' || status === 204 || status === 304,
  );
  return body === undefined ? undefined : { status, headers, body };
}

function bodyOf(text: string, framing: string | undefined, isEmpty: boolean): string | undefined {
  if (isEmpty) return '';
  if (framing === undefined) return text;
  if (/^\d/.test(framing)) return text.length < Number(framing) ? undefined : text.slice(0, Number(framing));
  let body = '';
  for (let rest = text; ;) {
    const [line = '', size] = chunk.exec(rest) ?? [];
    if (size === undefined) return undefined;
    const from = line.length;
    const to = from + Number.parseInt(size, 16);
    if (from === to) return trailers.test(rest.slice(from)) ? body : undefined;
    if (rest.slice(to, to + 2) !== '\r\n') return undefined;
    body += rest.slice(from, to);
    rest = rest.slice(to + 2);
  }
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
    'Content-Length: 5 ',
    'Content-Length:',
    'content-length:5',
  ),
  fc.constantFrom(
    'Transfer-Encoding: Chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, identity',
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
  fc.constantFrom(
    'Connection: close',
    'Connection: keep-alive',
    'Connection: upgrade',
    'Upgrade: websocket',
    'Keep-Alive: timeout=0',
  ),
);
const lineEnd = fc.oneof(
  { weight: 20, arbitrary: fc.constant(crlf) },
  fc.constantFrom('\n', '\r', '\r\r', '\r\r\n', ' \r\n'),
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
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket',
  ),
  fc.constantFrom(
    'HTTP/1.1 200',
    'HTTP/1.1 200 ',
    'HTTP/1.1 200 O\u0000K',
    'HTTP/0.9 200 OK',
    'HTTP/1.2 200 OK',
    'HTTP/2.0 200 OK',
    'RTSP/1.0 200 OK',
    'HTTP/1.1  200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 099 Low',
    'HTTP/1.1 600 High',
    ' HTTP/1.1 200 OK',
    '\r\nHTTP/1.1 200 OK',
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
    '5\r\nhello\r\n0\r\nX: 1\r\n folded\r\n\r\n',
    '5\r\nhello\r\n0\r\nContent-Length: 7\r\n\r\n',
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

test(
  'whatever is accepted follows the strict grammar of HTTP and is read as it says',
  { timeout: 120_000 },
  async () => {
    let acceptedCount = 0;
    await fc.assert(
      fc.asyncProperty(answer, fc.constantFrom('GET', 'HEAD'), async (bytes, method) => {
        const read = await readResponse([bytes], method);
        if (read === undefined) return;
        acceptedCount += 1;
        expect(read).toEqual(parseStrictly(bytes.toString('latin1'), method));
      }),
      { numRuns: 3_000 },
    );
    expect(acceptedCount).toBeGreaterThan(200);
  },
);

test('a response may be split anywhere', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.array(fc.nat(60), { maxLength: 6 }), async (bytes, cuts) => {
      const at = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const buffers = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const whole = await readResponse([bytes]);
      expect(await readResponse(buffers.filter(({ length }) => length > 0))).toEqual(whole);
      expect(await readResponse(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

describe('the limits that undici lacks', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const read = (text: string) => readResponse([Buffer.from(text, 'latin1')]);

  test.each([
    ['a reason of more than 16 KiB', `HTTP/1.1 200 ${'a'.repeat(17_000)}\r\nContent-Length: 0\r\n\r\n`],
    [
      'blanks of more than 16 KiB',
      `HTTP/1.1 200 OK\r\nX:${' '.repeat(17_000)}b\r\nContent-Length: 0\r\n\r\n`,
    ],
    ['carriage returns in place of an empty line', 'HTTP/1.1 200 OK\r\r\r\nhello'],
    ['zeros before a chunk size', `${chunked}${'0'.repeat(17_000)}5\r\nhello\r\n0\r\n\r\n`],
    ['many small extensions', `${chunked}${`1;${'a'.repeat(50)}\r\nx\r\n`.repeat(500)}0\r\n\r\n`],
    [
      'an extension after many chunks',
      `${chunked}${'1\r\nx\r\n'.repeat(20_000)}1;${'a'.repeat(80_000)}\r\nx\r\n0\r\n\r\n`,
    ],
    ['trailers of more than 16 KiB', `${chunked}5\r\nhello\r\n0\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
  ])('%s: refused', async (_what, text) => {
    expect(await read(text)).toBeUndefined();
  });

  test('many small chunks are no extensions, however long the response', async () => {
    const response = await read(`${chunked}${'00000001\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`);
    expect(response?.body.length).toBe(20_000);
  });
});
