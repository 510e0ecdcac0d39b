import { quotaBytesProblem } from '@corral/contract';
import { type ReactNode, useState } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { settingsCopy as words } from './copy.ts';
import { labelOf, SettingField } from './SettingField.tsx';
import { isSize, type SettingDetails, setSetting, textOf, valueOf } from './settings.ts';

type Texts = Readonly<Record<string, string>>;

/** One section of the settings. What was typed stays until the hub has taken it; a refusal is shown at its field. */
export function SettingsCard({
  title,
  settings,
  mayChange = async () => true,
  children,
}: {
  title: string;
  settings: readonly SettingDetails[];
  /** Asked before settings are saved. */
  mayChange?: ((changed: readonly SettingDetails[]) => Promise<boolean>) | undefined;
  children?: ReactNode;
}) {
  const [typed, setTyped] = useState<Texts>({});
  const [errors, setErrors] = useState<Texts>({});
  const [isSaving, setIsSaving] = useState(false);
  const run = useRun();
  const changed = settings.filter((setting) => {
    const text = typed[setting.key];
    return text !== undefined && text !== textOf(setting);
  });
  async function save(): Promise<void> {
    if (!(await mayChange(changed))) return;
    setIsSaving(true);
    const refused: Record<string, string> = {};
    const saved: string[] = [];
    for (const setting of changed) {
      const { key } = setting;
      const text = typed[key] ?? '';
      const problem = isSize(setting) ? quotaBytesProblem(text) : undefined;
      if (problem !== undefined) {
        refused[key] = problemCopy[problem];
        continue;
      }
      await run(setSetting, { key, value: valueOf(setting, text) }).then(
        () => {
          saved.push(labelOf(setting));
          setTyped(({ [key]: _saved, ...rest }) => rest);
        },
        (error: unknown) => void (refused[key] = messageOf(error)),
      );
    }
    setErrors(refused);
    setIsSaving(false);
    // Each setting is saved by itself: beside a refusal the toast says which were.
    const what = Object.keys(refused).length === 0 ? title : saved.join(', ');
    if (what !== '') showToast(words.saved(what), { tone: 'ok' });
  }
  return (
    <Card title={title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed.length > 0) void save();
        }}
      >
        {settings.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            value={typed[setting.key] ?? textOf(setting)}
            error={errors[setting.key]}
            isBusy={isSaving}
            onChange={(text) => {
              setTyped((texts) => ({ ...texts, [setting.key]: text }));
              setErrors(({ [setting.key]: _old, ...rest }) => rest);
            }}
          />
        ))}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            variant="primary"
            disabled={changed.length === 0 && !isSaving}
            loading={isSaving}
          >
            {words.save}
          </Button>
          {children}
        </div>
      </form>
    </Card>
  );
}
