import { type ComponentProps, useState } from 'react';
import { terms } from '../copy/terms.ts';
import { FieldsDialog, type FieldsDialogProps, type Values } from '../ui/form/FieldsDialog.tsx';
import { SecretDialog } from '../ui/overlay/SecretDialog.tsx';
import { CodeBlock } from '../ui/text/CodeBlock.tsx';

/** Creates a token, and shows its secret once, with the command that uses it. */
export function NewTokenDialog<Input extends Values, Output>({
  onSubmit,
  secret: { use, command, commandWhat, ...shown },
  ...form
}: Omit<FieldsDialogProps<Input, Output>, 'title' | 'submitLabel' | 'onSubmit'> & {
  onSubmit: (values: Output) => Promise<{ readonly token: string }>;
  secret: Pick<ComponentProps<typeof SecretDialog>, 'title' | 'what' | 'variable'> & {
    /** What the command does. */
    readonly use: string;
    readonly command: (secret: string) => string;
    readonly commandWhat: string;
  };
}) {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <FieldsDialog
        {...form}
        title={terms.create.tokens}
        submitLabel={terms.create.tokens}
        onSubmit={async (values) => setSecret((await onSubmit(values)).token)}
      />
      <SecretDialog {...shown} secret={secret} onStored={() => setSecret(undefined)}>
        <div className="flex flex-col gap-1.5">
          <span className="text-body text-ink2">{use}</span>
          <CodeBlock code={command(secret ?? '')} what={commandWhat} prompt="$" />
        </div>
      </SecretDialog>
    </>
  );
}
