import { channelReasons } from '@corral/contract';
import { ChannelRejection } from '@corral/multiplex';
import { expect, test } from 'vitest';
import { openPort } from './open-port.ts';

test.each([
  [channelReasons.portSilent, 'silent'],
  [channelReasons.deviceSilent, 'silent'],
  [channelReasons.limitReached, 'busy'],
  [channelReasons.hubUnreachable, 'offline'],
  [channelReasons.hubOfAnotherRelease, 'notReady'],
  ['Connection refused (os error 111)', 'refused'],
])('a page whose channel is rejected with "%s" is %s', async (reason, cause) => {
  const to = { deviceId: 'd_1111111111111111111111', port: 80 } as const;
  const opening = openPort(() => Promise.reject(new ChannelRejection(reason)), to, {
    openTimeoutMs: 1_000,
    signal: new AbortController().signal,
  });
  await expect(opening).rejects.toMatchObject({ failure: cause });
});
