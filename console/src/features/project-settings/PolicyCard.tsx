import { type ReactElement, useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog, type FieldsDialogProps, type Values } from '../../ui/form/FieldsDialog.tsx';
import { Card } from '../../ui/layout/Card.tsx';

interface PolicyCardProps<Input extends Values, Output> extends Pick<
  FieldsDialogProps<Input, Output>,
  'fields' | 'schema' | 'onSubmit'
> {
  readonly words: { readonly title: string; readonly verb: string; readonly explanation: string };
  /** What holds now. */
  readonly text: string;
  readonly icon: ReactElement;
  /** Why the user may not change it. */
  readonly ownerOnly: string | undefined;
}

/** A rule of the project in words, and the button that changes it in a dialog. */
export function PolicyCard<Input extends Values, Output>({
  words,
  text,
  icon,
  ownerOnly,
  ...form
}: PolicyCardProps<Input, Output>) {
  const [open, onOpenChange] = useState(false);
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{text}</p>
        <Button icon={icon} isWrite disabledReason={ownerOnly} onClick={() => onOpenChange(true)}>
          {words.verb}
        </Button>
      </div>
      <FieldsDialog
        {...form}
        {...{ open, onOpenChange }}
        title={words.title}
        description={words.explanation}
        submitLabel={words.verb}
      />
    </Card>
  );
}
