import { describe, expect, test } from 'vitest';
import type { ChannelRequest } from './connection-options.ts';
import type { Frame } from './frame.ts';
import {
  acceptAll,
  acceptFrame,
  adjustFrame,
  closeFrame,
  closedFrame,
  dataFrame,
  hello,
  open,
  requestFrame,
  simulate,
} from '../test/simulation.ts';
import { toBytes, toReadableText } from './text.ts';

const violation = (reason: string) => ({ cause: 'violation', reason });

describe('opening', () => {
  test('[CH1] ids count up from 1 over requests and acceptances, and are never reused', async () => {
    const { connection, peer, advance } = simulate(acceptAll());
    const rejections = [1, 2].map(() => connection.openChannel('x').catch(() => undefined));
    peer.send(hello, requestFrame(7));
    await advance(5);
    peer.send({ kind: 'ChannelReject', receiverId: 1, reason: new Uint8Array(0) });
    await advance(5);
    await rejections[0];
    void connection.openChannel('y').catch(() => undefined);
    await advance(5);
    expect(peer.all('ChannelRequest').map((frame) => frame.senderId)).toEqual([1, 2, 4]);
    expect(peer.all('ChannelAccept')).toMatchObject([{ receiverId: 7, senderId: 3 }]);
  });

  test('[CH2] a rejection passes its reason to the requester', async () => {
    const { connection, peer, advance } = simulate({
      onChannelRequest: (request) => {
        request.reject(`no ${request.endpoint} here`);
        expect(() => request.accept()).toThrow(/decided/);
      },
    });
    const opening = connection.openChannel('forward/tcp/80').catch((error: unknown) => error);
    peer.send(hello, requestFrame(1, 'terminal'));
    await advance(2);
    peer.send({ kind: 'ChannelReject', receiverId: 1, reason: toBytes('device not connected') });
    await advance(5);
    expect(await opening).toMatchObject({ name: 'ChannelRejection', message: 'device not connected' });
    expect(toReadableText(peer.all('ChannelReject')[0]!.reason)).toBe('no terminal here');
    expect(connection.channelCount).toBe(0);
  });

  test('[CH2] a request may be decided later, also after the connection has ended', async () => {
    const requests: ChannelRequest[] = [];
    const { connection, peer, advance } = simulate({ onChannelRequest: (request) => requests.push(request) });
    peer.send(hello, requestFrame(1), requestFrame(2), requestFrame(3));
    await advance(5);
    expect(connection.channelCount).toBe(3);
    const first = requests[0]!.accept();
    await advance(5);
    expect(peer.all('ChannelAccept')).toHaveLength(1);
    connection.close('over');
    requests[1]!.reject('too late');
    const second = requests[2]!.accept();
    expect(await first.read()).toBeNull();
    expect(await second.read()).toBeNull();
    await expect(second.write(Uint8Array.of(1))).rejects.toThrow('over');
    await advance(5);
    expect(peer.frames.at(-1)!.kind).toBe('Close');
  });

  test.for([
    dataFrame(1, 1),
    adjustFrame(1, 1, 1),
    closeFrame(0),
    closedFrame(9),
    acceptFrame(5, 5),
    { kind: 'ChannelReject', receiverId: 1, reason: new Uint8Array(0) } as Frame,
  ])('[CH3] a $kind for an id that was never given out is a violation', async (frame) => {
    const { connection, peer, advance } = simulate();
    peer.send(hello, frame);
    await advance(5);
    expect(connection.end).toEqual(violation('unknown channel'));
  });

  test('[CH4] [EN3] frames for a closed channel are dropped', async () => {
    const { connection, channel, peer, advance } = await open();
    channel.abort();
    expect(connection.channelCount).toBe(0);
    peer.send(dataFrame(1, 5), adjustFrame(1, 1, 1), closeFrame(1), closedFrame(1), dataFrame(1, 99_999));
    await advance(5);
    expect(connection.end).toBeUndefined();
  });

  test('[CH5] data and an end directly after the acceptance are not lost', async () => {
    const { connection, peer, advance } = simulate({ delayMs: 0 });
    const opening = connection.openChannel('x');
    await advance(0);
    const answer = [acceptFrame(1, 1), dataFrame(1, 10), dataFrame(1, 20), closedFrame(1), closeFrame(1)];
    peer.send(hello, ...answer);
    await advance(0);
    const channel = await opening;
    expect((await channel.read())?.length).toBe(10);
    expect((await channel.read())?.length).toBe(20);
    expect(await channel.read()).toBeNull();
  });

  test('[CH6] answers without a request and early frames are violations', async () => {
    const twice = await open();
    twice.peer.send(acceptFrame(1, 102));
    await twice.advance(5);
    expect(twice.connection.end).toEqual(violation('answer without channel request'));
    const early = simulate();
    void early.connection.openChannel('x').catch(() => undefined);
    early.peer.send(hello, dataFrame(1, 1));
    await early.advance(5);
    expect(early.connection.end).toEqual(violation('frame for a channel that is not open'));
  });

  test('[CH6] a sender id must be fresh', async () => {
    for (const frames of [[requestFrame(0)], [requestFrame(1), requestFrame(1)]]) {
      const { connection, peer, advance } = simulate(acceptAll());
      peer.send(hello, ...frames);
      await advance(5);
      expect(connection.end).toEqual(violation('channel id is not fresh'));
    }
    const undecided = simulate({ onChannelRequest: () => {} });
    undecided.peer.send(hello, requestFrame(4), requestFrame(4));
    await undecided.advance(5);
    expect(undecided.connection.end).toEqual(violation('channel id is not fresh'));
  });

  test('[CH7] at most 64 channels are open, and one that ends allows another', async () => {
    const { channels, onChannelRequest } = acceptAll();
    const { connection, peer, advance } = simulate({ onChannelRequest });
    peer.send(hello);
    for (let id = 1; id <= 65; id += 1) peer.send(requestFrame(id));
    await advance(5);
    expect(connection.channelCount).toBe(64);
    const [rejection] = peer.all('ChannelReject');
    expect(rejection?.receiverId).toBe(65);
    expect(toReadableText(rejection!.reason)).toBe('connection channel limit reached');
    await expect(connection.openChannel('x')).rejects.toThrow('connection channel limit reached');
    channels[0]!.abort();
    peer.send(requestFrame(66));
    await advance(5);
    expect(peer.all('ChannelAccept')).toHaveLength(65);
  });

  test('[CH8] endpoints that are too long or not UTF-8 are rejected', async () => {
    const { connection, peer, advance } = simulate(acceptAll());
    const binary: Frame = { ...(requestFrame(3) as object), endpoint: Uint8Array.of(0xff) } as Frame;
    peer.send(hello, requestFrame(1, 'x'.repeat(4_096)), requestFrame(2, 'x'.repeat(4_097)), binary);
    await advance(5);
    expect(peer.all('ChannelAccept')).toHaveLength(1);
    expect(peer.all('ChannelReject').map((frame) => toReadableText(frame.reason))).toEqual([
      'channel endpoint too large',
      'channel endpoint is not UTF-8',
    ]);
    await expect(connection.openChannel('x'.repeat(4_097))).rejects.toThrow('channel endpoint too large');
  });

  test('[CH9] an acceptance of a cancelled request is closed in both directions', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello);
    const given = new AbortController();
    const opening = connection.openChannel('x', { signal: given.signal }).catch((error: unknown) => error);
    const refused = connection.openChannel('y', { signal: given.signal }).catch((error: unknown) => error);
    await advance(2);
    given.abort(new Error('too slow'));
    expect(await opening).toMatchObject({ message: 'too slow' });
    expect(await refused).toMatchObject({ message: 'too slow' });
    await expect(connection.openChannel('x', { signal: given.signal })).rejects.toThrow('too slow');
    peer.send(acceptFrame(1, 101), dataFrame(1, 5), {
      kind: 'ChannelReject',
      receiverId: 2,
      reason: new Uint8Array(0),
    });
    await advance(5);
    expect(peer.all('ChannelClosed')).toMatchObject([{ receiverId: 101 }]);
    expect(peer.all('ChannelClose')).toMatchObject([{ receiverId: 101 }]);
    expect(connection.channelCount).toBe(0);
    expect(connection.end).toBeUndefined();
  });

  test('[CH10] without a handler for requests they are rejected', async () => {
    const { peer, advance } = simulate();
    peer.send(hello, requestFrame(1));
    await advance(5);
    expect(toReadableText(peer.all('ChannelReject')[0]!.reason)).toBe('unknown endpoint');
  });
});
