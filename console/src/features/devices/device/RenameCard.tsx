import type { Id } from '@corral/contract';
import { type FormEvent, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { devicesCopy } from '../copy.ts';
import { useRenameDevice } from '../use-rename-device.ts';

const words = deviceCopy.rename;

/** Renames a device optimistically, with Undo. The field is cleared at once; a refused name comes back, unless another is typed. */
export function RenameCard({ deviceId, name }: { deviceId: Id<'device'>; name: string | undefined }) {
  const [typed, setTyped] = useState('');
  const rename = useRenameDevice();
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTyped('');
    rename(deviceId, typed, name).catch((error: unknown) => {
      setTyped((current) => (current === '' ? typed : current));
      showToast(devicesCopy.notRenamed, { tone: 'danger', text: messageOf(error) });
    });
  }
  return (
    <Card title={words.title} className="print:hidden">
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={words.name}
          description={words.hint}
          value={typed}
          onValueChange={setTyped}
          placeholder={name}
          autoComplete="off"
          spellCheck={false}
        />
        <div>
          <Button type="submit">{words.save}</Button>
        </div>
      </form>
    </Card>
  );
}
