import { type Id, nameProblem } from '@corral/contract';
import { useState } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { TextAreaField } from '../../../ui/form/TextAreaField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { certificatesCopy } from './copy.ts';
import { createAuthority } from './mutations.ts';

const words = certificatesCopy.form;
const empty = { name: '', certificatePem: '', keyPem: '' };

type Field = keyof typeof empty;

/** Gives a project an authority. What was typed stays until it is made, or Cancel. */
export function NewAuthorityDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const [typed, setTyped] = useState(empty);
  const [blurred, setBlurred] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, attempt, forget] = useFailure();
  const name = typed.name.trim();
  const [certificatePem, keyPem] = [typed.certificatePem.trim(), typed.keyPem.trim()];
  const problem = nameProblem(typed.name, 'name');
  const isKeyAlone = keyPem !== '' && certificatePem === '';
  const change = (field: Field) => (text: string) => {
    forget();
    setTyped((before) => ({ ...before, [field]: text }));
  };
  function end(): void {
    forget();
    setTyped(empty);
    setBlurred(false);
    onOpenChange(false);
  }
  async function submit(): Promise<void> {
    setIsBusy(true);
    await attempt(async () => {
      const given = {
        ...(certificatePem === '' ? {} : { certificatePem }),
        ...(keyPem === '' ? {} : { keyPem }),
      };
      await run(createAuthority, { projectId, name, ...given });
      end();
      showToast(certificatesCopy.created(name), { tone: 'ok' });
    });
    setIsBusy(false);
  }
  return (
    <FormDialog
      {...{ open, onOpenChange }}
      title={certificatesCopy.create}
      description={words.text}
      submitLabel={certificatesCopy.create}
      onCancel={end}
      onSubmit={() => void submit()}
      canSubmit={problem === undefined && !isKeyAlone}
      busy={isBusy}
      error={failure}
    >
      <TextField
        label={terms.name}
        required
        value={typed.name}
        onValueChange={change('name')}
        onBlur={() => setBlurred(true)}
        dirty={typed.name !== ''}
        {...{ blurred }}
        valid={problem === undefined}
        error={problem && problemCopy[problem]}
        autoComplete="off"
      />
      <TextAreaField
        label={words.certificate}
        required={false}
        description={words.certificateHint}
        {...untouched}
        value={typed.certificatePem}
        onValueChange={change('certificatePem')}
      />
      <TextAreaField
        label={words.key}
        required={false}
        description={words.keyHint}
        dirty={isKeyAlone}
        blurred={isKeyAlone}
        valid={isKeyAlone ? false : undefined}
        error={words.keyAlone}
        value={typed.keyPem}
        onValueChange={change('keyPem')}
      />
    </FormDialog>
  );
}

const untouched = { dirty: false, blurred: false, valid: undefined };
