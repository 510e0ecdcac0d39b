import { request, type Agent, type IncomingMessage } from 'node:http';
import type { BenchUser } from '../bench-hub.ts';
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

/** GETs all bytes and counts them. Rejects unless there are as many as expected. */
export function get(
  url: string,
  sizeBytes: number,
  { agent, onBytes }: { readonly agent?: Agent; onBytes?(count: number): void } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (answer: IncomingMessage): void => {
      let received = 0;
      answer.on('data', (chunk: Buffer) => {
        received += chunk.length;
        onBytes?.(chunk.length);
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200 && received === sizeBytes) resolve();
        else reject(new Error(`The download was answered ${answer.statusCode} with ${received} bytes.`));
      });
    };
    request(url, agent === undefined ? {} : { agent }, take)
      .on('error', reject)
      .end();
  });
}

/** A repository of the hub and how clients move bytes to and from it. */
export interface AssetClient {
  upload(content: Content, agent?: Agent): Promise<`repo_a_${string}`>;
  downloadUrl(assetId: `repo_a_${string}`): Promise<string>;
}

/** Creates a repository. Uploads go as the clients of 2025 make them: create, ask for the URL, PUT. */
export async function assetClient({ executor }: BenchUser, name: string): Promise<AssetClient> {
  const created = await executor.invoke('repositories_CreateRepository', { name });
  if (created.result !== 'Created') throw new Error(`The repository ${name} exists already.`);
  const { repositoryId } = created;
  return {
    async upload({ sizeBytes, digest, ...rest }, agent) {
      const input = { repositoryId, size: sizeBytes, digest };
      const { assetId } = await executor.invoke('repositories_CreateAsset', input);
      const { url } = await executor.invoke('repositories_IssueAssetUploadUrl', { assetId });
      await put(url, { sizeBytes, digest, ...rest }, agent);
      return assetId as `repo_a_${string}`;
    },
    async downloadUrl(assetId) {
      const { url } = await executor.invoke('repositories_IssueAssetDownloadUrl', { assetId });
      return url;
    },
  };
}

/** Seconds that work takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
