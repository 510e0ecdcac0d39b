import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as tls from 'node:tls';
import { ids } from '@corral/contract';
import { tableExecutor, type Executor } from '@corral/client';
import { transferHttp, type TransferHttp, type WantedAsset } from '@corral/client/node';

const chunkBytes = 1_048_576;

/** A server on a real socket that serves one asset by URLs that it issues, and misbehaves on request. */
export class AssetServer {
  readonly #server: Server;
  #digests: Buffer | undefined;
  readonly origin: string;
  readonly asset: WantedAsset;
  readonly executor: Executor;
  readonly http: TransferHttp;
  /** The ranges that were requested. */
  readonly ranges: string[] = [];
  /** The headers of all requests for bytes. */
  readonly headers: IncomingMessage['headers'][] = [];
  issuedUrls = 0;
  sentBytes = 0;
  /** How many answers are still cut, and after how many bytes each. */
  cuts = 0;
  cutAfterBytes = 0;
  /** Answers stop there, and stay open. */
  stallAfterBytes = Infinity;
  /** Requests that are answered with this status first. */
  refusals: { status: number; headers?: Record<string, string> }[] = [];
  /** Changes what is sent. */
  alter: (bytes: Buffer, start: number) => Buffer = (bytes) => bytes;
  /** Called with each number of bytes that was sent in sum. */
  onSent: (sentBytes: number) => void = () => undefined;
  hasChunks = true;
  bytes: Buffer;

  private constructor(server: Server, scheme: string, bytes: Buffer) {
    this.#server = server;
    this.origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.bytes = bytes;
    this.asset = {
      assetId: ids.asset.of('1'.repeat(22)),
      sizeBytes: bytes.length,
      digest: `sha256_${createHash('sha256').update(bytes).digest('hex')}`,
      filename: 'press.img',
    };
    this.http = transferHttp({ secureContext: tls.createSecureContext(), env: {} });
    this.executor = this.#executor();
    server.on('request', (request, response) => this.#serve(request, response));
  }

  /** Serves these bytes on a free port of the loopback; over TLS if given a certificate and its key. */
  static async start(
    bytes: Buffer,
    certificate?: { readonly cert: string; readonly key: string },
  ): Promise<AssetServer> {
    const server = certificate === undefined ? createServer() : createSecureServer({ ...certificate });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AssetServer(server, certificate === undefined ? 'http' : 'https', bytes);
  }

  async stop(): Promise<void> {
    this.http.close();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #executor(): Executor {
    const { sizeBytes: size, digest } = this.asset;
    return tableExecutor({
      repositories_IssueAssetDownloadUrl: () => {
        this.issuedUrls += 1;
        const url = `${this.origin}/r/assets/1?sig=${this.issuedUrls}`;
        return { url, size, digest, expiresAt: '2026-11-22T12:00:00Z' };
      },
      // Pages of 10 chunks.
      repositories_GetAssetChunks: ({ after = 0 }) => {
        this.#digests ??= chunkDigests(this.bytes);
        const digests = this.hasChunks ? this.#digests : Buffer.alloc(0);
        const total = digests.length / 32;
        const page = digests.subarray(after * 32, (after + 10) * 32).toString('base64');
        const more = after + 10 < total ? { next: after + 10 } : {};
        return { chunkSize: chunkBytes, total, digests: page, ...more };
      },
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { range = '' } = request.headers;
    this.headers.push(request.headers);
    this.ranges.push(range);
    const refusal = this.refusals.shift();
    if (refusal !== undefined) {
      response.writeHead(refusal.status, refusal.headers).end();
      return;
    }
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const [start, end] = [Number(first), Number(last) + 1];
    const body = this.alter(Buffer.from(this.bytes.subarray(start, end)), start);
    const isCut = this.cuts > 0 && body.length > this.cutAfterBytes;
    const sent = isCut ? body.subarray(0, this.cutAfterBytes) : body;
    this.sentBytes += sent.length;
    response.writeHead(206, {
      'content-length': String(end - start),
      'content-range': `bytes ${start}-${end - 1}/${this.bytes.length}`,
    });
    this.onSent(this.sentBytes);
    if (body.length > this.stallAfterBytes)
      return void response.write(body.subarray(0, this.stallAfterBytes));
    if (!isCut) return void response.end(sent);
    this.cuts -= 1;
    response.write(sent, () => response.destroy());
  }
}

/** The SHA-256 of each MiB, joined. */
function chunkDigests(bytes: Buffer): Buffer {
  const count = Math.ceil(bytes.length / chunkBytes);
  const chunk = (index: number): Buffer => bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes);
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => createHash('sha256').update(chunk(index)).digest()),
  );
}

/** Random bytes; the last MiB is not whole. */
export function image(chunks: number): Buffer {
  return randomBytes((chunks - 1) * chunkBytes + 12_345);
}
