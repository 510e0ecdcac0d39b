import type { Id } from '@corral/contract';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { object, string } from 'valibot';
import { Button } from '../../../ui/action/Button.tsx';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { useRenameDevice } from '../use-rename-device.ts';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.rename;

/** Renames the device from beside its title, with Undo. The field is empty again after each rename; a refused name stays in it. */
export function RenameButton({
  deviceId,
  name,
  suggestion,
}: {
  deviceId: Id<'device'>;
  name: string | undefined;
  /** What the empty field shows. */
  suggestion: string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const rename = useRenameDevice();
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        isWrite
        label={words.title}
        icon={<PenLine size={15} aria-hidden />}
        onClick={() => setIsOpen(true)}
      />
      <FieldsDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={words.title}
        size="small"
        submitLabel={words.save}
        fields={{
          name: {
            label: words.name,
            hint: words.hint,
            placeholder: suggestion,
            spellCheck: false,
          },
        }}
        schema={object({ name: string() })}
        onSubmit={({ name: typed }) => rename(deviceId, typed, name)}
      />
    </>
  );
}
