import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as tls from 'node:tls';
import { ids } from '@corral/contract';
import { tableExecutor, type Executor } from '@corral/client';
import { transferHttp, type TransferHttp } from '@corral/client/node';

/** A server on a real socket that takes uploads of one asset by PUT and by the protocol tus, and misbehaves on request. */
export class UploadServer {
  readonly #server: Server;
  readonly assetId = ids.asset.of('1'.repeat(22));
  readonly executor: Executor;
  readonly http: TransferHttp;
  /** The method of each request. */
  readonly requests: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  status: 'Dangling' | 'Available' = 'Dangling';
  storage: 'Verified' | 'Missing' = 'Verified';
  isResumable = true;
  issuedUrls = 0;
  /** What was announced. */
  expected: { size: number; digest: string } = { size: 0, digest: '' };
  stored: Buffer = Buffer.alloc(0);
  receivedBytes = 0;
  /** How many requests are still cut, and after how many bytes each. */
  cuts = 0;
  cutAfterBytes = 0;
  /** Requests that are answered with this status first. */
  refusals: number[] = [];
  /** The same, from the first cut on. */
  refusalsAfterCut: number[] = [];
  /** The Retry-After of these. */
  retryAfter = '0';
  /** Whether the connection breaks when everything is stored. */
  losesAnswer = false;

  private constructor(server: Server) {
    this.#server = server;
    this.http = transferHttp({ secureContext: tls.createSecureContext(), env: {} });
    this.executor = this.#executor();
    server.on(
      'request',
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
  }

  static async start(): Promise<UploadServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UploadServer(server);
  }

  async stop(): Promise<void> {
    this.http.close();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #executor(): Executor {
    const { assetId } = this;
    return tableExecutor({
      repositories_CreateAsset: ({ size, digest }) => {
        this.expected = { size: Number(size), digest };
        return { result: this.status === 'Available' ? 'AssetAlreadyExists' : 'Created', assetId };
      },
      repositories_GetAssetDetails: () => ({
        assetId,
        ...this.expected,
        status: this.status,
        storage: { status: this.storage },
        createdAt: '2026-11-22T12:00:00Z',
        referenceCount: 0,
        repositoryId: ids.repository.of('1'.repeat(22)),
      }),
      repositories_IssueAssetUploadUrl: () => {
        this.issuedUrls += 1;
        const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/r/assets/1?sig=${this.issuedUrls}`;
        const more = this.isResumable ? { resumableUrl: `${url}&tus` } : {};
        return { url, ...more, expiresAt: '2026-11-22T12:00:00Z' };
      },
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    this.requests.push(method);
    this.headers.push(headers);
    const refusal = this.refusals.shift();
    if (refusal !== undefined) {
      const body = JSON.stringify({ kind: 'Invalid', message: `It is refused with ${refusal}.` });
      // Read whole, since an answer to a half-read body may be lost with the connection.
      for await (const _ of request) continue;
      response
        .writeHead(refusal, { 'content-type': 'application/json', 'retry-after': this.retryAfter })
        .end(body);
      return;
    }
    if (method === 'HEAD') return void response.setHeader('upload-offset', this.stored.length).end();
    if (method === 'PUT') this.stored = Buffer.alloc(0);
    if (method === 'PATCH' && Number(headers['upload-offset']) !== this.stored.length)
      return void response.writeHead(409).end();
    await this.#take(request);
    this.#finish(response);
  }

  async #take(request: IncomingMessage): Promise<void> {
    this.stored = await this.#read(request, this.stored);
  }

  /** The bytes before and those of the request; a cut keeps what came. */
  async #read(request: IncomingMessage, before: Buffer): Promise<Buffer> {
    const pieces = [before];
    let taken = 0;
    const isCut = this.cuts > 0;
    for await (const chunk of request) {
      pieces.push(chunk as Buffer);
      taken += (chunk as Buffer).length;
      this.receivedBytes += (chunk as Buffer).length;
      if (!isCut || taken < this.cutAfterBytes) continue;
      this.cuts -= 1;
      this.refusals.push(...this.refusalsAfterCut.splice(0));
      this.stored = Buffer.concat(pieces);
      request.socket.destroy();
      throw new Error('cut');
    }
    return Buffer.concat(pieces);
  }

  #finish(response: ServerResponse): void {
    if (digestOf(this.stored) !== this.expected.digest) {
      const body = JSON.stringify({ kind: 'Invalid', message: 'The bytes have another digest.' });
      response.writeHead(422, { 'content-type': 'application/json' }).end(body);
      return;
    }
    this.status = 'Available';
    this.storage = 'Verified';
    if (this.losesAnswer) response.destroy();
    else response.writeHead(204).end();
  }
}

function digestOf(bytes: Buffer): string {
  return `sha256_${createHash('sha256').update(bytes).digest('hex')}`;
}
