import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { securityCopy } from './copy.ts';
import { createUserToken } from './mutations.ts';
import { SecretDialog } from '../../../ui/overlay/SecretDialog.tsx';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { configureCommand } from '../../../parts/install-commands.ts';
import { NameDialog } from '../../../parts/NameDialog.tsx';

const words = () => ({
  title: terms.create.tokens,
  text: securityCopy.tokensText,
  name: terms.name,
  hint: securityCopy.tokenNameHint,
  required: terms.nameRequired,
});

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
      <NameDialog {...{ open, onOpenChange }} words={words()} onName={create} />
      <SecretDialog
        title={securityCopy.tokenCreated}
        secret={secret}
        what={securityCopy.tokenSecret}
        variable="CORRAL_TOKEN"
        onStored={() => setSecret(undefined)}
      >
        <div className="flex flex-col gap-1.5">
          <span className="text-body text-ink2">{securityCopy.tokenUse}</span>
          <CodeBlock
            code={configureCommand(window.location.origin)}
            what={securityCopy.tokenCommand}
            prompt="$"
          />
        </div>
      </SecretDialog>
    </>
  );
}
