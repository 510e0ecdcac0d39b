import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { settingsCopy as words } from './copy.ts';
import { GroupRights } from './GroupRights.tsx';
import { isSize, type SettingDetails } from './settings.ts';

/** The control of one setting; one that the configuration sets is shown, and disabled. */
export function SettingField({
  setting,
  value,
  error,
  isBusy,
  onChange,
}: {
  setting: SettingDetails;
  value: string;
  error: string | undefined;
  isBusy: boolean;
  onChange: (text: string) => void;
}) {
  const { key, configuredBy } = setting;
  const isWrong = error !== undefined;
  const shared = {
    name: key,
    label: labelOf(setting),
    description: configuredBy === undefined ? hintOf(setting) : words.configured(configuredBy),
    disabled: isBusy || configuredBy !== undefined,
    dirty: isWrong,
    blurred: isWrong,
    // Only the hub knows what is valid, and says so on saving.
    valid: isWrong ? false : undefined,
    error,
  };
  if (key === 'oidcGroups')
    return (
      <GroupRights label={labelOf(setting)} value={value} error={error} isBusy={isBusy} onChange={onChange} />
    );
  const choices = Object.entries(words.options).find(([name]) => name === key)?.[1];
  if (choices === undefined)
    return <TextField {...shared} value={value} onValueChange={onChange} autoComplete="off" />;
  const options = Object.entries(choices).map(([option, label]) => ({ value: option, label }));
  return (
    <Select
      {...shared}
      value={value}
      options={options}
      onBlur={() => undefined}
      onValueChange={(next) => onChange(next ?? '')}
    />
  );
}

/** The name of a setting; of one that this console does not know, as the hub calls it. */
export function labelOf({ key, label }: SettingDetails): string {
  const labels: Readonly<Record<string, string>> = words.fields;
  return labels[key] ?? label;
}

function hintOf(setting: SettingDetails): string {
  const { doc, isSecret, value } = setting;
  if (isSize(setting)) return `${doc} ${words.sizeExample}`;
  return isSecret && typeof value === 'string' ? `${doc} ${words.secretSet(value)}` : doc;
}
