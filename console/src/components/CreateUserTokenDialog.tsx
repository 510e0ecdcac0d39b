import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { enAccount } from '../copy/en-account.ts';
import { createUserToken } from '../data/mutations-account.ts';
import { SecretDialog } from '../ui/overlay/SecretDialog.tsx';
import { CodeBlock } from '../ui/text/CodeBlock.tsx';
import { configureCommand } from './help/install-commands.ts';
import { NameDialog } from './NameDialog.tsx';

const { security } = enAccount;
const words = {
  title: security.newToken,
  text: security.tokensText,
  name: security.tokenName,
  hint: security.tokenNameHint,
  required: security.tokenNameRequired,
};

/** Creates an API token and shows its secret, once. */
export function CreateUserTokenDialog({
  userId,
  open,
  onOpenChange,
}: {
  userId: Id<'user'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [secret, setSecret] = useState<string>();
  const { mutateAsync, reset } = useMutation({ ...createUserToken, gcTime: 0 });
  async function create(name: string): Promise<void> {
    // Without `reset` the mutation cache would keep the secret.
    const { token } = await mutateAsync({ userId, name }).finally(reset);
    onOpenChange(false);
    setSecret(token);
  }
  return (
    <>
      <NameDialog {...{ open, onOpenChange, words }} onName={create} />
      <SecretDialog
        title={security.tokenCreated}
        secret={secret}
        what={security.tokenSecret}
        variable="CORRAL_TOKEN"
        onStored={() => setSecret(undefined)}
      >
        <div className="flex flex-col gap-1.5">
          <span className="text-body text-ink2">{security.tokenUse}</span>
          <CodeBlock
            code={configureCommand(window.location.origin)}
            what={security.tokenCommand}
            prompt="$"
          />
        </div>
      </SecretDialog>
    </>
  );
}
