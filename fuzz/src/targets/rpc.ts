import { serveRpc, type RpcInput, type RpcOutput } from '@corral/multiplex';
import { inPieces, MemoryChannel } from '../MemoryChannel.ts';
import type { Random } from '../Random.ts';
import { assertThat, type Target } from '../target.ts';

const names = ['actor_GetActor', 'devices_PublishDeviceEvents', '', 'x', 'throw', 'circle', 'Ünïcode'];
const inputs = [
  '{}',
  '{"a":[1,2,{"b":null}]}',
  'null',
  '{',
  '[[[[[[[[',
  '"💧"',
  '1e999',
  '{"__proto__":1}',
  '',
];
const encoder = new TextEncoder();

/** The framing of calls: after any input the channel ends normally or is aborted, and strict decoders accept every answer. */
export const rpcTarget: Target = {
  name: 'rpc',
  count: () => 1,
  sample(random) {
    const calls = Array.from({ length: 1 + random.below(3) }, () => sampleCall(random));
    return joined([Uint8Array.of(random.next()), ...calls]);
  },
  async run(input) {
    const channel = new MemoryChannel(inPieces(input));
    const called: RpcInput[] = [];
    await serveRpc(channel, (name, value) => {
      called.push(value);
      return execute(name, value);
    });
    assertThat(channel.outcome !== 'open', 'a channel of calls is ended or aborted after its stream');
    const answers = envelopesOf(joined(channel.written));
    assertThat(answers.length === called.length, 'each call has one answer');
    return `${channel.outcome} after ${Math.min(3, answers.length)} ${[...new Set(answers)].toSorted().join()}`;
  },
};

async function execute(name: string, input: RpcInput): Promise<RpcOutput> {
  if (name === 'throw') throw new Error('a secret of the inside');
  const circle: unknown[] = [];
  circle.push(circle);
  if (name === 'circle') return { result: 'Ok', value: circle };
  if (!input.isJson) return { result: 'Error', error: { kind: 'Invalid', message: input.problem } };
  return { result: 'Ok', value: input.value };
}

function sampleCall(random: Random): Uint8Array {
  const name = encoder.encode(random.pick(names));
  const input = encoder.encode(random.pick(inputs));
  const sizes = new DataView(new ArrayBuffer(6));
  sizes.setUint16(0, name.length);
  sizes.setUint32(2, random.oneIn(10) ? random.next() : input.length);
  const sizeBytes = new Uint8Array(sizes.buffer);
  return joined([sizeBytes.subarray(0, 2), name, sizeBytes.subarray(2), input]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** The kinds of all answers in a stream; throws unless each is an envelope of exactly two fields. */
function envelopesOf(stream: Uint8Array): string[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const kinds: string[] = [];
  for (let at = 0; at < stream.length;) {
    const end = at + 4 + view.getUint32(at);
    assertThat(end <= stream.length, 'an answer is whole');
    kinds.push(kindOf(JSON.parse(Buffer.from(stream.subarray(at + 4, end)).toString())));
    at = end;
  }
  return kinds;
}

function kindOf(envelope: Record<string, unknown>): string {
  const keys = Object.keys(envelope).join();
  assertThat(keys === 'result,value' || keys === 'result,error', 'an answer has exactly two fields');
  if (envelope['result'] === 'Ok') return 'Ok';
  const { kind, message } = envelope['error'] as Record<string, unknown>;
  assertThat(typeof message === 'string' && !message.includes('secret'), 'an error reveals no internals');
  return String(kind);
}
