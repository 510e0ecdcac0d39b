import type { Id } from '@corral/contract';
import { useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { configureCommand } from '../../../parts/install-commands.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { SecretDialog } from '../../../ui/overlay/SecretDialog.tsx';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { securityCopy } from './copy.ts';
import { createUserToken } from './mutations.ts';
import { boundsOf, tokenSchema } from './token-form.ts';
import { useTokenFields } from './use-token-fields.ts';

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
  const run = useRun();
  return (
    <>
      <FieldsDialog
        {...{ open, onOpenChange }}
        draft="new user token"
        title={terms.create.tokens}
        description={securityCopy.tokensText}
        submitLabel={terms.create.tokens}
        fields={useTokenFields(userId, open)}
        schema={tokenSchema}
        onSubmit={async ({ name, ...chosen }) => {
          setSecret((await run(createUserToken, { userId, name, ...boundsOf(chosen) })).token);
        }}
      />
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
