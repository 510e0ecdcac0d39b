import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { settingsCopy as words } from './copy.ts';
import type { SettingDetails } from './settings.ts';

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
  const labels: Readonly<Record<string, string>> = words.fields;
  const isWrong = error !== undefined;
  const shared = {
    name: key,
    label: labels[key] ?? setting.label,
    description: configuredBy === undefined ? hintOf(setting) : words.configured(configuredBy),
    disabled: isBusy || configuredBy !== undefined,
    dirty: isWrong,
    blurred: isWrong,
    // Only the hub knows what is valid, and says so on saving.
    valid: isWrong ? false : undefined,
    error,
  };
  if (key !== 'registration')
    return <TextField {...shared} value={value} onValueChange={onChange} autoComplete="off" />;
  const options = [
    { value: 'open', label: words.open },
    { value: 'closed', label: words.closed },
  ];
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

function hintOf({ doc, isSecret, value }: SettingDetails): string {
  return isSecret && typeof value === 'string' ? `${doc} ${words.secretSet(value)}` : doc;
}
