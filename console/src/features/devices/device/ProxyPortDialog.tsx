import { object, pipe, regex, string, toNumber, maxValue } from 'valibot';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.proxy;
const port = pipe(string(), regex(/^[1-9]\d{0,4}$/u), toNumber(), maxValue(65_535));

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
  return (
    <FieldsDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={words.otherTitle}
      description={words.otherText}
      size="small"
      submitLabel={words.open}
      fields={{ port: { label: words.port, hint: words.portHint, required: true, inputMode: 'numeric' } }}
      schema={object({ port })}
      onSubmit={(values) => onPort(values.port)}
    />
  );
}
