import type { Internal } from '../../../calls/handler.ts';
import { saveSetting } from '../../instance/index.ts';
import { hostSetting } from '../sql/passkey-host.ts';

/** Lets new passkeys belong to another host name; those before work only at theirs. */
export const MovePasskeys: Internal<{ readonly hostname: string }, void> = {
  name: 'instance_MovePasskeys',
  isRecorded: true,

  async run({ tx, input: { hostname }, vault, now, emit }) {
    await saveSetting(tx, vault, { key: hostSetting, value: hostname, isSecret: false, now });
    emit('instance_SettingChanged', { key: hostSetting, value: hostname });
  },
};
