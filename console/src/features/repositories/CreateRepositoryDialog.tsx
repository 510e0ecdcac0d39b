import { type CallInput, type Id, repositoryNameProblem } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { object, picklist, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { follows } from '../../parts/follows.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { repositoriesCopy as words } from './copy.ts';
import { createRepository } from './mutations.ts';

const schema = object({
  name: pipe(follows(repositoryNameProblem, problemCopy), trim()),
  visibility: picklist(['Private', 'Public']),
});

/** Creates a repository of the user and goes to its packages. The dialog says when the name is taken; the browser's console has every failure. */
export function CreateRepositoryDialog({
  userId,
  open,
  onOpenChange,
}: {
  userId: Id<'user'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const router = useRouter();
  const create = useCreateRepository();
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      title={terms.create.repositories}
      description={words.createText}
      submitLabel={terms.create.repositories}
      fields={{
        name: { label: terms.name, required: true, spellCheck: false, autoCapitalize: 'none' },
        visibility: {
          kind: 'select',
          label: words.visibility,
          hint: words.visibilityHint,
          initial: 'Private',
          options: (['Private', 'Public'] as const).map((value) => ({
            value,
            label: words.visibilities[value],
          })),
        },
      }}
      schema={schema}
      onSubmit={async ({ name, visibility }) => {
        const repositoryId = await create({ name, visibility, owner: userId });
        onOpenChange(false);
        await router.navigate({ to: '/repositories/$repositoryId', params: { repositoryId } });
      }}
    />
  );
}

/** A function that creates a repository and resolves to its id; a failure is logged, too. */
function useCreateRepository(): (
  input: CallInput<'repositories_CreateRepository'> & { name: string },
) => Promise<Id<'repository'>> {
  const run = useRun();
  return async (input) => {
    try {
      const created = await run(createRepository, input);
      if (created.result === 'NameAlreadyExists') throw new Error(words.taken(input.name));
      return created.repositoryId;
    } catch (error) {
      console.error(messageOf(error));
      throw error;
    }
  };
}
