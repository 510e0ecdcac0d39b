import type { MutationOptions } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { GenericSchema } from 'valibot';
import { terms } from '../copy/terms.ts';
import { useRun } from '../data/action-mutation.ts';
import { Button } from '../ui/action/Button.tsx';
import { FieldsDialog } from '../ui/form/FieldsDialog.tsx';
import { Card } from '../ui/layout/Card.tsx';
import { submitUndoable } from './undoable.ts';

/** What the card says; the verb is also the title of the button. */
export interface RenameWords {
  readonly title: string;
  readonly text: string;
  readonly verb: string;
  readonly dialogTitle: (name: string) => string;
  readonly renamed: (name: string) => string;
  readonly failed: string;
}

type Named = { name: string };

/** What a name is for, and the button that changes the name in a dialog, with Undo. */
export function RenameCard<Input>({
  name: former,
  label = terms.name,
  isOptional = false,
  words,
  consequences,
  schema,
  mutation,
  inputOf,
  ownerOnly,
}: {
  /** The present name, '' for none. */
  name: string;
  /** The label of the field, where it is not a name. */
  label?: string | undefined;
  /** Whether it may have none. */
  isOptional?: boolean | undefined;
  words: RenameWords;
  /** What the dialog says before the name is changed. */
  consequences?: string | undefined;
  schema: GenericSchema<Named, Named>;
  // oxlint-disable-next-line typescript/no-explicit-any -- what it returns does not matter
  mutation: MutationOptions<any, Error, Input, any>;
  /** The input of the mutation for a name. */
  inputOf: (name: string) => Input;
  /** Why the user may not rename it. */
  ownerOnly: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const run = useRun();
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{words.text}</p>
        <Button
          icon={<Pencil size={15} aria-hidden />}
          isWrite
          disabledReason={ownerOnly}
          onClick={() => setOpen(true)}
        >
          {words.verb}
        </Button>
      </div>
      <FieldsDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={words.dialogTitle(former)}
        description={consequences}
        submitLabel={words.verb}
        fields={{
          name: {
            label,
            required: !isOptional,
            initial: former,
            spellCheck: false,
            autoCapitalize: 'none',
          },
        }}
        schema={schema}
        onSubmit={({ name }) =>
          name === former
            ? undefined
            : submitUndoable(run, mutation, inputOf(name), {
                inverse: inputOf(former),
                done: words.renamed(name),
                failed: words.failed,
              })
        }
      />
    </Card>
  );
}
