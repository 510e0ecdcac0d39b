import { useState } from 'react';
import { deviceCopy } from './copy.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';

const words = deviceCopy.proxy;

/** Asks for a port of a device. */
export function ProxyPortDialog({
  isOpen,
  onOpenChange,
  onPort,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onPort: (port: number) => void;
}) {
  const [typed, setTyped] = useState('');
  const isPort = /^[1-9]\d{0,4}$/u.test(typed) && Number(typed) <= 65_535;
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      onReset={() => setTyped('')}
      title={words.otherTitle}
      description={words.otherText}
      size="small"
      submitLabel={words.open}
      canSubmit={isPort}
      onSubmit={() => onPort(Number(typed))}
    >
      <TextField
        label={words.port}
        description={words.portHint}
        value={typed}
        onValueChange={setTyped}
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
