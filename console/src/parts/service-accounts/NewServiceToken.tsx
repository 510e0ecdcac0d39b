import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { configureCommand } from '../install-commands.ts';
import { NewTokenDialog } from '../NewTokenDialog.tsx';
import type { DialogProps } from '../use-lazy-dialog.ts';
import { userTokensCopy } from '../user-tokens/copy.ts';
import { createUserToken } from '../user-tokens/token-data.ts';
import {
  boundsOf,
  choicesOfRights,
  dayChoices,
  defaultDays,
  serviceTokenSchema,
} from '../user-tokens/token-form.ts';
import { serviceAccountsCopy as words } from './copy.ts';
import type { ServiceAccount } from './service-account-data.ts';

/** Creates a token of a service account, and shows it once. */
export function NewServiceToken({
  account: { userId, name: ofAccount },
  ...dialog
}: { account: ServiceAccount } & DialogProps) {
  const run = useRun();
  return (
    <NewTokenDialog
      {...dialog}
      description={words.tokenText(ofAccount)}
      fields={{
        name: { label: terms.name, hint: userTokensCopy.nameHint, required: true },
        may: {
          kind: 'multi-select',
          label: userTokensCopy.may,
          hint: userTokensCopy.mayHint,
          options: choicesOfRights(false),
          placeholder: userTokensCopy.everythingOfMember,
        },
        days: {
          kind: 'select',
          label: userTokensCopy.validFor,
          options: dayChoices(),
          initial: defaultDays,
        },
      }}
      schema={serviceTokenSchema}
      onSubmit={({ name, ...chosen }) => run(createUserToken, { userId, name, ...boundsOf(chosen) })}
      secret={{
        ...userTokensCopy.secret,
        variable: 'CORRAL_TOKEN',
        command: () => configureCommand(window.location.origin),
      }}
    />
  );
}
