import { useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { nameSchema } from '../../../parts/name-schema.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { securityCopy } from './copy.ts';
import { setPasskeyName } from './mutations.ts';

const words = securityCopy.passkeys;

/** A passkey that gets a name. */
export interface NamedPasskey {
  readonly credentialId: string;
  readonly name: string;
  /** Whether it was just added. */
  readonly isNew: boolean;
}

/** Renames a passkey, also one that was just added and has a suggested name. Closed without one. */
export function PasskeyNameDialog({
  passkey,
  onClose,
}: {
  passkey: NamedPasskey | undefined;
  onClose: () => void;
}) {
  const run = useRun();
  const [shown, setShown] = useState(passkey);
  // Kept while the dialog disappears.
  if (passkey !== undefined && passkey !== shown) setShown(passkey);
  return (
    <FieldsDialog
      open={passkey !== undefined}
      onOpenChange={(next) => !next && onClose()}
      title={shown?.isNew === true ? words.nameTitle : words.renameTitle}
      description={shown?.isNew === true ? words.nameText : undefined}
      submitLabel={words.save}
      size="small"
      fields={{ name: { label: terms.name, required: true, initial: shown?.name ?? '' } }}
      schema={nameSchema}
      onSubmit={({ name }) =>
        shown === undefined || name === shown.name
          ? undefined
          : run(setPasskeyName, { credentialId: shown.credentialId, name })
      }
    />
  );
}
