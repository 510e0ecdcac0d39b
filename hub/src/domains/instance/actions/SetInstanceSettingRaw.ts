import { ActionError } from '@corral/contract';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustLeaveSignIn, mustMapKnownProjects } from '../../identities/index.ts';
import { mustAdministerBySession } from '../../users/index.ts';
import { removeSetting, saveSetting } from '../sql/instance-settings.ts';

/** Sets a setting that the configuration does not set, or its default. */
export const SetInstanceSettingRaw: Handler<'instance_SetInstanceSettingRaw'> = {
  async authorize(context) {
    await mustAdministerBySession(context.tx, context.actor);
    mustBeSteppedUp(context);
  },

  async run({ tx, input, vault, settings, now, emit }) {
    const { key } = input;
    const setting = settings.get(key);
    if (setting === undefined)
      throw new ActionError('Invalid', `There is no such setting. The settings are ${keyList(settings)}.`);
    const { configured, isSecret } = setting;
    if (configured !== undefined)
      throw new ActionError('Invalid', `${setting.label} is set by ${configured.by}. Change it there.`);
    await mustLeaveSignIn({ tx, vault, settings, now }, key, input.value);
    if (input.value === null) {
      await removeSetting(tx, key);
      emit('instance_SettingChanged', { key, value: null });
      return {};
    }
    const parsed = setting.parse(input.value);
    if ('problem' in parsed) throw new ActionError('Invalid', parsed.problem);
    await mustMapKnownProjects(tx, key, parsed.value);
    await saveSetting(tx, vault, { key, value: parsed.value, isSecret, now });
    emit('instance_SettingChanged', { key, ...(isSecret ? {} : { value: parsed.value }) });
    return {};
  },
};

const keyList = (settings: ReadonlyMap<string, unknown>): string => [...settings.keys()].join(', ');
