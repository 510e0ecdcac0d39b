import { portProblem } from '@corral/contract';
import { object, pipe, toNumber } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { follows } from '../../../parts/follows.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.proxy;
const port = pipe(follows(portProblem, problemCopy), toNumber());

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
