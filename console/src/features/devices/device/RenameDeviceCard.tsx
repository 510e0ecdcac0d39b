import type { Id } from '@corral/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/action/Button.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { useRenameDevice } from '../use-rename-device.ts';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.rename;

/** The form that renames the device, with Undo. The field is empty again after each rename; a refused name stays in it, with the reason. */
export function RenameDeviceCard({
  deviceId,
  name: former,
}: {
  deviceId: Id<'device'>;
  name: string | undefined;
}) {
  const [name, setName] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const [failure, attempt, forget] = useFailure();
  const rename = useRenameDevice();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSaving) return;
    setIsSaving(true);
    await attempt(async () => {
      await rename(deviceId, name, former);
      setName('');
    });
    setIsSaving(false);
  }
  return (
    <Card title={words.title} className="print:hidden">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex items-start gap-2">
        <TextField
          className="min-w-0 flex-1"
          label={words.name}
          required={false}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onValueChange={(typed) => {
            setName(typed);
            forget();
          }}
          dirty={failure !== undefined}
          blurred={failure !== undefined}
          valid={failure === undefined ? undefined : false}
          error={failure}
        />
        <Button type="submit" isWrite loading={isSaving} className="mt-6.5">
          {words.save}
        </Button>
      </form>
    </Card>
  );
}
