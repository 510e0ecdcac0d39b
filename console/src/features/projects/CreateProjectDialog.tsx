import type { Id } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { nameSchema } from '../../parts/name-schema.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { projectsCopy } from './copy.ts';
import { createProject } from './mutations.ts';

/** Creates a project of the user and goes to its devices. */
export function CreateProjectDialog({
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
  async function create(name: string): Promise<void> {
    const { projectId } = await run(createProject, { name, owner: userId });
    onOpenChange(false);
    await router.navigate({ to: '/projects/$projectId', params: { projectId } });
  }
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      title={terms.create.projects}
      description={projectsCopy.createText}
      submitLabel={terms.create.projects}
      fields={{ name: { label: terms.name, required: true } }}
      schema={nameSchema}
      onSubmit={({ name }) => create(name)}
    />
  );
}
