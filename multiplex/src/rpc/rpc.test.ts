import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Channel } from '../channel.ts';
import { MultiplexConnection } from '../connection.ts';
import { settle } from '../../test/simulation.ts';
import { toBytes, toReadableText } from '../text.ts';
import { MemoryScheduler, MemoryTransport } from '../transports/memory.ts';
import type { RpcOutput } from './messages.ts';
import { RpcClient } from './rpc-client.ts';
import { serveRpc, type InputReader, type RpcExecute, type RpcServing } from './serve-rpc.ts';

const largest = 8_388_608;
const ok = (value: unknown): RpcOutput => ({ result: 'Ok', value });

/** A hub that serves calls on every channel, and a device's open channel to it. Simulated time advances automatically. */
async function serving(execute: RpcExecute, options: RpcServing = {}) {
  const scheduler = new MemoryScheduler(settle);
  const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 1 });
  const now = (): number => scheduler.nowMs;
  const served: Promise<void>[] = [];
  const hub = new MultiplexConnection({
    transport: near,
    now,
    onChannelRequest: (request) => served.push(serveRpc(request.accept(), execute, options)),
  });
  const device = new MultiplexConnection({ transport: far, now });
  /** Advances the time until a promise is settled. */
  const until = async <Value>(promise: Promise<Value>): Promise<Value> => {
    let isSettled = false;
    void promise.catch(() => undefined).finally(() => (isSettled = true));
    for (let turn = 0; !isSettled && turn < 100_000; turn += 1) await scheduler.advance(1);
    return promise;
  };
  const channel = await until(device.openChannel('executor'));
  return { hub, device, channel, until, served };
}

function call(name: string, input: string | Uint8Array): Uint8Array {
  const body = typeof input === 'string' ? toBytes(input) : input;
  const head = toBytes(name);
  const bytes = new Uint8Array(6 + head.length + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, head.length);
  bytes.set(head, 2);
  view.setUint32(2 + head.length, body.length);
  bytes.set(body, 6 + head.length);
  return bytes;
}

async function readAll(channel: Channel): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of channel) parts.push(part);
  return Buffer.concat(parts);
}

/** The JSON texts of a stream of responses. */
function outputs(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = bytes.readUInt32BE(offset);
    texts.push(toReadableText(bytes.subarray(offset + 4, offset + 4 + length)));
    offset += 4 + length;
  }
  return texts;
}

/** Returns its own arguments. */
const echo: RpcExecute = async (name, input) => ok({ name, input });

/** A channel whose peer answers every call with these bytes. */
async function answering(...answers: Uint8Array[]) {
  const scheduler = new MemoryScheduler(settle);
  const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 1 });
  const now = (): number => scheduler.nowMs;
  const { promise, resolve } = Promise.withResolvers<Channel>();
  const hub = new MultiplexConnection({
    transport: near,
    now,
    onChannelRequest: (request) => resolve(request.accept()),
  });
  const device = new MultiplexConnection({ transport: far, now });
  const opening = device.openChannel('executor');
  await scheduler.advance(5);
  const server = await promise;
  for (const answer of answers) await server.write(answer);
  const rpc = new RpcClient(await opening);
  return { scheduler, server, rpc, hub, device };
}

function response(text: string): Uint8Array {
  const body = toBytes(text);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes.set(body, 4);
  return bytes;
}

describe('serving calls', () => {
  test('[RPC1] a request is a name and a JSON input, its answer a JSON output', async () => {
    const { channel, until } = await serving(echo);
    await channel.write(call('actor_GetActor', '{"a":[1,null]}'));
    channel.end();
    const text =
      '{"result":"Ok","value":{"name":"actor_GetActor","input":{"isJson":true,"value":{"a":[1,null]}}}}';
    expect(outputs(await until(readAll(channel)))).toEqual([text]);
  });

  test('[RPC2] requests are executed strictly one after another', async () => {
    const events: string[] = [];
    const { channel, until } = await serving(async (name) => {
      events.push(`begin ${name}`);
      await settle();
      events.push(`end ${name}`);
      return ok(name);
    });
    await channel.write(Buffer.concat([call('a', '{}'), call('b', '{}'), call('c', '{}')]));
    channel.end();
    await until(readAll(channel));
    expect(events).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
  });

  test.for([
    ['a name of 256 bytes', Uint8Array.of(1, 0), 'the action name is longer than 255 bytes'],
    ['an input above 8 MiB', Uint8Array.of(0, 1, 97, 0, 128, 0, 1), 'the input is larger than 8 MiB'],
  ] as const)('[RPC3] %s closes the channel and nothing else', async ([, bytes, reason]) => {
    const { channel, device, hub, until, served } = await serving(echo);
    await channel.write(bytes);
    expect(await until(channel.read())).toBeNull();
    await expect(channel.write(bytes)).rejects.toThrow(reason);
    await until(Promise.all(served));
    expect([hub.end, device.end]).toEqual([undefined, undefined]);
    const other = await until(device.openChannel('executor'));
    expect(await until(new RpcClient(other).invoke('still', {}))).toMatchObject({ name: 'still' });
  });

  test('[RPC3] the longest name and the largest input are served', async () => {
    const { channel, until } = await serving(async (name, input) =>
      ok([name.length, input.isJson && String(input.value).length]),
    );
    const rpc = new RpcClient(channel);
    const value = 'x'.repeat(largest - 2);
    expect(await until(rpc.invoke('n'.repeat(255), value))).toEqual([255, largest - 2]);
  });

  test('[RPC4] the output has exactly two fields', async () => {
    const odd: Record<string, RpcOutput> = {
      none: { result: 'Ok', value: undefined },
      more: Object.assign(ok({}), { extra: 1 }),
      error: {
        result: 'Error',
        value: 1,
        error: { kind: 'Forbidden', message: 'No.', stack: 'x' },
      } as RpcOutput,
    };
    const { channel, until } = await serving(async (name) => odd[name]!);
    for (const name of ['none', 'more', 'error']) await channel.write(call(name, '{}'));
    channel.end();
    expect(outputs(await until(readAll(channel)))).toEqual([
      '{"result":"Ok","value":null}',
      '{"result":"Ok","value":{}}',
      '{"result":"Error","error":{"kind":"Forbidden","message":"No."}}',
    ]);
  });

  test('[RPC5] an input that is not JSON becomes an error sentence, and the channel continues', async () => {
    const { channel, until } = await serving(echo);
    for (const input of ['', '{', '{}{}', Uint8Array.of(0x22, 0xff, 0x22)]) {
      await channel.write(call('a', input));
    }
    await channel.write(call('a', 'null'));
    channel.end();
    const values = outputs(await until(readAll(channel))).map((text) => JSON.parse(text).value.input);
    const notJson = { isJson: false, problem: 'The input is not valid JSON.' };
    const notText = { isJson: false, problem: 'The input is not UTF-8.' };
    expect(values).toEqual([notJson, notJson, notJson, notText, { isJson: true, value: null }]);
  });

  test('[RPC10] an input is passed to its reader in pieces while it arrives', async () => {
    const sizes: number[] = [];
    const openReader = (name: string, inputBytes: number): InputReader => ({
      push: (bytes) => void sizes.push(bytes.length),
      end: async () => ({ isJson: true, value: [name, inputBytes] }),
    });
    const { channel, until } = await serving(echo, { openReader });
    await until(channel.write(call('large', ' '.repeat(200_000))));
    await channel.write(call('empty', ''));
    channel.end();
    const values = outputs(await until(readAll(channel))).map((text) => JSON.parse(text).value.input.value);
    expect(values).toEqual([
      ['large', 200_000],
      ['empty', 0],
    ]);
    expect(sizes.every((size) => size <= 65_536)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(200_000);
  });

  test('[RPC6] a failed call is answered as Internal, without details', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const answers: Record<string, () => RpcOutput> = {
      thrown: () => {
        throw new Error('secret');
      },
      cycle: () => ok(cycle),
      bigint: () => ok(1n),
      large: () => ok('x'.repeat(largest)),
      fine: () => ok('x'.repeat(largest - '{"result":"Ok","value":""}'.length)),
    };
    const { channel, until } = await serving(async (name) => answers[name]!());
    for (const name of Object.keys(answers)) await channel.write(call(name, '{}'));
    channel.end();
    const texts = outputs(await until(readAll(channel)));
    const internal = '{"result":"Error","error":{"kind":"Internal","message":"internal error"}}';
    expect(texts.slice(0, 3)).toEqual([internal, internal, internal]);
    expect(texts[3]).toBe(internal.replace('internal error', 'The output is larger than 8 MiB.'));
    expect(texts[4]).toHaveLength(largest);
  });

  test('[RPC7] a value that comes as its JSON in pieces is sent as one response', async () => {
    const sizes: Record<string, number> = {
      small: 10,
      large: 300_000,
      most: largest - 24,
      more: largest - 22,
    };
    const { channel, until } = await serving(async (name) => {
      const half = toBytes('x'.repeat((sizes[name]! - 2) / 2));
      return { result: 'Ok', json: [toBytes('"'), half, half, toBytes('"')] };
    });
    for (const name of Object.keys(sizes)) await channel.write(call(name, '{}'));
    channel.end();
    const texts = outputs(await until(readAll(channel)));
    for (const [index, name] of ['small', 'large', 'most'].entries())
      expect(texts[index] === `{"result":"Ok","value":"${'x'.repeat(sizes[name]! - 2)}"}`, name).toBe(true);
    expect(JSON.parse(texts[3]!.slice(0, 200))).toEqual({
      result: 'Error',
      error: { kind: 'Internal', message: 'The output is larger than 8 MiB.' },
    });
  });

  test('[RPC7] requests may be split and joined anywhere', async () => {
    const request = fc.record({ name: fc.string({ maxLength: 20 }), value: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 20 }),
        async (requests, cuts) => {
          const { channel, until } = await serving(echo);
          const stream = Buffer.concat(requests.map(({ name, value }) => call(name, JSON.stringify(value))));
          for (let offset = 0, turn = 0; offset < stream.length; turn += 1) {
            const length = cuts[turn % cuts.length]! + 1;
            void channel.write(stream.subarray(offset, offset + length));
            offset += length;
          }
          channel.end();
          const texts = outputs(await until(readAll(channel)));
          expect(texts.map((text) => JSON.parse(text).value)).toEqual(
            requests.map(({ name, value }) => ({
              name,
              input: { isJson: true, value: JSON.parse(JSON.stringify(value)) },
            })),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test('[RPC7] a stream that ends within a request causes no error', async () => {
    const { channel, hub, until, served } = await serving(echo);
    await channel.write(call('a', '{}').subarray(0, 5));
    channel.end();
    expect(await until(readAll(channel))).toHaveLength(0);
    await until(Promise.all(served));
    expect(hub.end).toBeUndefined();
    expect(hub.channelCount).toBe(0);
  });

  test('[RPC3] no bytes end the connection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const { channel, hub, until, served } = await serving(echo);
        void channel.write(bytes).catch(() => undefined);
        channel.end();
        await until(readAll(channel));
        await until(Promise.all(served));
        expect(hub.end).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

describe('calling', () => {
  test('[RPC2] concurrent calls are sent one by one, in order', async () => {
    let running = 0;
    const { channel, until } = await serving(async (name) => {
      running += 1;
      expect(running).toBe(1);
      await settle();
      running -= 1;
      return ok(name);
    });
    const rpc = new RpcClient(channel);
    const calls = ['a', 'b', 'c'].map((name) => rpc.invoke(name, undefined));
    rpc.close();
    expect(await until(Promise.all(calls))).toEqual(['a', 'b', 'c']);
    expect(await until(channel.closed)).toBe('');
  });

  test('[RPC8] an error has its kind and message, and the next call works', async () => {
    const { channel, until } = await serving(async (name) =>
      name === 'bad' ? { result: 'Error', error: { kind: 'Invalid', message: 'The name is taken.' } } : ok(1),
    );
    const rpc = new RpcClient(channel);
    const error = await until(rpc.invoke('bad', {}).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ name: 'RpcError', kind: 'Invalid', message: 'The name is taken.' });
    expect(await until(rpc.invoke('good', {}))).toBe(1);
  });

  test('[RPC3] [RPC8] names and inputs that are too long or not JSON are refused before they are sent', async () => {
    const { channel, until } = await serving(echo);
    const rpc = new RpcClient(channel);
    const invalid = { name: 'RpcError', kind: 'Invalid' };
    await expect(rpc.invoke('n'.repeat(256), {})).rejects.toMatchObject(invalid);
    await expect(rpc.invoke('n', 'x'.repeat(largest - 1))).rejects.toMatchObject(invalid);
    await expect(rpc.invoke('n', 1n)).rejects.toMatchObject(invalid);
    expect(await until(rpc.invoke('n', {}))).toMatchObject({ name: 'n' });
  });

  test.for([
    ['no JSON', response('{')],
    ['no envelope', response('{"result":"Maybe"}')],
    ['null', response('null')],
    ['an error without kind', response('{"result":"Error","error":{}}')],
  ] as const)('[RPC8] %s fails the call and the channel', async ([, answer]) => {
    const { scheduler, rpc, device } = await answering(answer);
    const first = rpc.invoke('a', {}).catch((error: unknown) => error);
    const second = rpc.invoke('b', {}).catch((error: unknown) => error);
    await scheduler.advance(20);
    expect(await first).toMatchObject({ name: 'ChannelClosure', message: 'the output is malformed' });
    expect(await second).toMatchObject({ name: 'ChannelClosure' });
    expect(device.end).toBeUndefined();
  });

  test('[RPC3] [RPC8] an announced output above 8 MiB closes the channel', async () => {
    const { scheduler, rpc, server } = await answering(Uint8Array.of(0, 128, 0, 1));
    const failed = rpc.invoke('a', {}).catch((error: unknown) => error);
    await scheduler.advance(20);
    expect(await failed).toMatchObject({ message: 'the output is larger than 8 MiB' });
    expect(server.isClosed).toBe(true);
  });

  test('[RPC8] the end of the channel fails every waiting call', async () => {
    const { scheduler, rpc, hub } = await answering();
    const calls = ['a', 'b'].map((name) => rpc.invoke(name, {}).catch((error: unknown) => error));
    await scheduler.advance(5);
    hub.close('restart');
    await scheduler.advance(5);
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ name: 'ChannelClosure' });
  });

  test('[RPC9] an input is read once memory for it is reserved, and the reservation ends before its answer is sent', async () => {
    const happened: string[] = [];
    const granted = Promise.withResolvers<void>();
    const reserveInput = async (inputBytes: number) => {
      happened.push(`asked for ${inputBytes}`);
      await granted.promise;
      return { arrived: () => happened.push('arrived'), free: () => happened.push('free') };
    };
    const { channel, until } = await serving(async () => (happened.push('done'), ok(1)), { reserveInput });
    const input = JSON.stringify('x'.repeat(40_000));
    const writing = channel.write(call('x', input));
    const answer = channel.read();
    await until(settle());
    expect(happened).toEqual(['asked for 40002']);
    granted.resolve();
    await until(Promise.all([writing, answer]));
    expect(happened).toEqual(['asked for 40002', 'arrived', 'done', 'free']);
  });

  test('[RPC9] the reservation of an incomplete input ends with its channel', async () => {
    const free = Promise.withResolvers<void>();
    const reserveInput = async () => ({ arrived: () => {}, free: () => free.resolve() });
    const { channel, until } = await serving(async () => ok(1), { reserveInput });
    await until(channel.write(call('x', '"half of it"').subarray(0, 10)));
    channel.end();
    await until(free.promise);
    expect(await until(channel.read())).toBeNull();
  });
});
