import { request } from 'node:http';
import { ByteReader } from '@corral/multiplex';
import type { OpenLink } from './device-client.ts';

/** Calls an action and answers the bytes as they arrive, so that the caller adds hardly any work to the hub's in the same process. */
export type CallInChunks = (name: string, input: object) => Promise<readonly Uint8Array[]>;

/** Calls over HTTP; answers the bare output. */
export function chunksOverHttp(hubUrl: string, headers: Record<string, string>): CallInChunks {
  return (name, input) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Uint8Array[]>();
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    request(`${hubUrl}/api/v1/actions/invoke/${name}`, options, (response) => {
      const chunks: Uint8Array[] = [];
      response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      response.on('end', () => resolve(chunks));
      response.on('error', reject);
    })
      .on('error', reject)
      .end(JSON.stringify(input));
    return promise;
  };
}

/** Calls over a new channel; answers the envelope of the output. */
export function chunksOverChannel({ connection }: OpenLink): CallInChunks {
  return async (name, input) => {
    const channel = await connection.openChannel('executor');
    await channel.write(requestOf(name, Buffer.from(JSON.stringify(input))));
    const reader = new ByteReader(channel);
    const chunks: Uint8Array[] = [];
    let left = Buffer.from((await reader.read(4)) ?? []).readUInt32BE();
    for (; left > 0; left -= chunks.at(-1)?.length ?? left)
      chunks.push(Uint8Array.from((await reader.read(Math.min(left, 65_536))) ?? []));
    channel.abort('done');
    return chunks;
  };
}

function requestOf(name: string, input: Buffer): Buffer {
  const head = Buffer.alloc(6 + name.length);
  head.writeUInt16BE(name.length);
  head.write(name, 2);
  head.writeUInt32BE(input.length, 2 + name.length);
  return Buffer.concat([head, input]);
}
