import { request, type Agent, type IncomingMessage } from 'node:http';
import type { BenchUser } from '../bench-hub.ts';
import { httpCaller } from '../http-caller.ts';
import type { Content } from './content.ts';

/** PUTs content with its length. Rejects unless the answer is a success. */
export function put(url: string, { sizeBytes, pieces, piece }: Content, agent?: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { method: 'PUT', headers: { 'content-length': sizeBytes }, ...(agent && { agent }) };
    const sent = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve();
        else reject(new Error(`The upload was answered ${status}: ${Buffer.concat(chunks).toString()}`));
      });
    });
    sent.on('error', reject);
    let index = 0;
    const more = (): void => {
      while (index < pieces) {
        const goesOn = sent.write(piece(index, index));
        index += 1;
        if (!goesOn) return;
      }
      sent.end();
    };
    sent.on('drain', more);
    more();
  });
}

interface GetOptions {
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each piece; the next one is read when it resolves. */
  onBytes?(count: number): Promise<void>;
}

/** The header of clients that compare the digests of what they get, as our own do; the hub then compares none. */
export const verifying = { 'corral-verifies': 'sha-256' };

/** GETs all bytes and counts them. Rejects unless there are as many as expected. */
export function get(
  url: string,
  sizeBytes: number,
  { agent, headers = {}, onBytes }: GetOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (answer: IncomingMessage): void => {
      let received = 0;
      answer.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (onBytes === undefined) return;
        answer.pause();
        void onBytes(chunk.length).then(() => answer.resume());
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200 && received === sizeBytes) resolve();
        else reject(new Error(`The download was answered ${answer.statusCode} with ${received} bytes.`));
      });
    };
    request(url, { headers, ...(agent && { agent }) }, take)
      .on('error', reject)
      .end();
  });
}

/** A repository of the hub and how clients move bytes to and from it. */
export interface AssetClient {
  upload(content: Content, agent?: Agent): Promise<`repo_a_${string}`>;
  downloadUrl(assetId: `repo_a_${string}`): Promise<string>;
  /** Closes the kept connections. */
  close(): void;
}

const actionsPath = '/api/v1/actions/invoke/repositories_';
const mostCallers = 16;

/**
 * Creates a repository. Uploads go as the clients of 2025 make them: create, ask for the URL, PUT. Actions go over kept connections by `node:http`, because a
 * `fetch` takes about as much processor time here as the hub takes for the action, on the same processors.
 */
export async function assetClient(
  { executor, token, url: hubUrl }: BenchUser,
  name: string,
): Promise<AssetClient> {
  const created = await executor.invoke('repositories_CreateRepository', { name });
  if (created.result !== 'Created') throw new Error(`The repository ${name} exists already.`);
  const { repositoryId } = created;
  const caller = httpCaller(hubUrl, { authorization: `Bearer ${token}` }, mostCallers);
  const call = async (action: string, input: object): Promise<Record<string, string>> =>
    JSON.parse(await caller.post(actionsPath + action, input)) as Record<string, string>;
  return {
    async upload({ sizeBytes, digest, ...rest }, agent) {
      const { assetId = '' } = await call('CreateAsset', { repositoryId, size: sizeBytes, digest });
      const { url = '' } = await call('IssueAssetUploadUrl', { assetId });
      await put(url, { sizeBytes, digest, ...rest }, agent);
      return assetId as `repo_a_${string}`;
    },
    async downloadUrl(assetId) {
      const { url = '' } = await call('IssueAssetDownloadUrl', { assetId });
      return url;
    },
    close: () => caller.close(),
  };
}

/** Seconds that work takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
