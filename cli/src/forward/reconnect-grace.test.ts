import { channelReasons } from '@corral/contract';
import { ChannelRejection } from '@corral/multiplex';
import { beforeEach, expect, test } from 'vitest';
import { ReconnectGrace } from './reconnect-grace.ts';

const away = new ChannelRejection(channelReasons.deviceNotConnected);
let nowMs = 0;
let grace: ReconnectGrace;
beforeEach(() => void (grace = new ReconnectGrace(() => nowMs)));

test('a device that is away is tried again for 5 s, and reported at once after that', async () => {
  await grace.wait(away, 0);
  nowMs += 4_999;
  await grace.wait(new ChannelRejection(channelReasons.hubUnreachable), 0);
  nowMs += 1;
  await expect(grace.wait(away, 0)).rejects.toBe(away);
});

test('a device that was reached meanwhile may be away for as long again', async () => {
  await grace.wait(away, 0);
  nowMs += 6_000;
  grace.reached();
  await grace.wait(away, 0);
});

test('any other reason is reported at once', async () => {
  const denied = new ChannelRejection('permission denied');
  await expect(grace.wait(denied, 0)).rejects.toBe(denied);
});
