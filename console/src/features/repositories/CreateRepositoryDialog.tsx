import { type Id, repositoryNameProblem } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { object, picklist, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { follows } from '../../parts/follows.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { repositoriesCopy as words } from './copy.ts';
import { createRepository } from './mutations.ts';

const schema = object({
  name: pipe(follows(repositoryNameProblem, problemCopy), trim()),
  visibility: picklist(['Private', 'Public']),
});

/** Creates a repository of the user and goes to its packages. The dialog says when the name is taken. */
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
  const run = useRun();
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
        const created = await run(createRepository, { name, visibility, owner: userId });
        if (created.result === 'NameAlreadyExists') throw new Error(words.taken(name));
        const { repositoryId } = created;
        onOpenChange(false);
        await router.navigate({ to: '/repositories/$repositoryId', params: { repositoryId } });
      }}
    />
  );
}
