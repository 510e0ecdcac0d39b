import { ByteReader } from '@corral/multiplex';
import type { OpenLink } from './device-client.ts';

/** The envelope of an answer. */
export type RawAnswer =
  | { readonly result: 'Ok'; readonly value: unknown }
  | { readonly result: 'Error'; readonly error: { readonly kind: string; readonly message: string } };

/** Sends one call with arbitrary input bytes over a new channel and reads the answer. */
export async function callRaw(link: OpenLink, name: string, input: string | Buffer): Promise<RawAnswer> {
  const channel = await link.connection.openChannel('executor');
  const bytes = Buffer.from(input as string);
  const head = Buffer.alloc(6 + Buffer.byteLength(name));
  head.writeUInt16BE(Buffer.byteLength(name));
  head.write(name, 2);
  head.writeUInt32BE(bytes.length, 2 + Buffer.byteLength(name));
  await channel.write(head);
  await channel.write(bytes);
  const reader = new ByteReader(channel);
  const sizeBytes = Buffer.from((await reader.read(4)) ?? []).readUInt32BE();
  const answer = JSON.parse(Buffer.from((await reader.read(sizeBytes)) ?? []).toString()) as RawAnswer;
  channel.abort('done');
  return answer;
}
