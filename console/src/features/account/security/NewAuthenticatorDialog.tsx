import type { Output } from '@corral/contract';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { factorCopy } from '../../../parts/second-factor/copy.ts';
import { NewAuthenticator } from '../../../parts/second-factor/NewAuthenticator.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { securityCopy } from './copy.ts';
import { confirmAuthenticator } from './mutations.ts';

const words = securityCopy.secondFactor;

/** Sets up an authenticator: its secret to scan, and its first code. Closed while nothing is begun. */
export function NewAuthenticatorDialog({
  begun,
  onClose,
  onAdded,
}: {
  begun: Output<'users_BeginAuthenticatorEnrolment'> | undefined;
  onClose: () => void;
  onAdded: (recoveryCodes: readonly string[]) => void;
}) {
  const [code, setCode] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, attempt, forget] = useFailure();
  const run = useRun();
  async function submit(): Promise<void> {
    setIsBusy(true);
    await attempt(async () => {
      const { recoveryCodes } = await run(confirmAuthenticator, { code });
      onClose();
      if (recoveryCodes !== undefined) onAdded(recoveryCodes);
    });
    setIsBusy(false);
  }
  return (
    <FormDialog
      open={begun !== undefined}
      onOpenChange={(next) => !next && onClose()}
      title={words.add}
      submitLabel={words.turnOn}
      size="small"
      canSubmit={code.trim() !== ''}
      busy={isBusy}
      error={failure}
      onSubmit={() => void submit()}
      onReset={() => {
        setCode('');
        forget();
      }}
    >
      {begun !== undefined && <NewAuthenticator {...begun} />}
      <TextField
        name="code"
        label={factorCopy.code}
        description={factorCopy.codeHint}
        required
        value={code}
        onValueChange={(next) => {
          forget();
          setCode(next);
        }}
        inputMode="numeric"
        autoComplete="one-time-code"
        dirty={false}
        blurred={false}
        valid={undefined}
      />
    </FormDialog>
  );
}
