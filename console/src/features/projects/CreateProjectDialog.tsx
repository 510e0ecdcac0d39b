import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { projectsCopy } from './copy.ts';
import { createProject } from './mutations.ts';
import { NameDialog } from '../../parts/NameDialog.tsx';

const words = () => ({
  title: terms.create.projects,
  text: projectsCopy.createText,
  name: terms.name,
  required: terms.nameRequired,
});

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
  const { mutateAsync } = useMutation(createProject);
  async function create(name: string): Promise<void> {
    const { projectId } = await mutateAsync({ name, owner: userId });
    onOpenChange(false);
    await router.navigate({ to: '/projects/$projectId', params: { projectId } });
  }
  return <NameDialog {...{ open, onOpenChange }} words={words()} onName={create} />;
}
