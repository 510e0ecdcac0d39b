import type { Json } from '@corral/contract';
import type { Handler, SettingDefinition } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../../users/index.ts';
import { readSettings } from '../sql/instance-settings.ts';

/** Returns the settings in effect; of a secret only what may be shown of it. */
export const GetInstanceSettingsRaw: Handler<'instance_GetInstanceSettingsRaw'> = {
  authorize: ({ tx, actor }) => mustAdministerBySession(tx, actor),

  async run({ tx, vault, settings }) {
    const stored = await readSettings(tx, vault);
    const details = [...settings].map(([key, setting]) => detailsOf(key, setting, stored.get(key)));
    const open = details.filter(({ isSecret }) => !isSecret);
    return { settings: Object.fromEntries(open.map(({ key, value }) => [key, value])), details };
  },
};

function detailsOf(key: string, setting: SettingDefinition, stored: Json | undefined) {
  const { label, doc, fallback, isSecret, configured } = setting;
  return {
    key,
    label,
    doc,
    value: setting.shown(configured?.value ?? stored ?? fallback),
    default: fallback,
    isSet: stored !== undefined,
    isSecret,
    ...(configured === undefined ? {} : { configuredBy: configured.by }),
  };
}
