import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { enAccount } from '../copy/en-account.ts';
import { createProject } from '../data/mutations-projects.ts';
import { NameDialog } from './NameDialog.tsx';

const { projects } = enAccount;
const words = {
  title: projects.create,
  text: projects.createText,
  name: projects.name,
  required: projects.nameRequired,
};

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
  return <NameDialog {...{ open, onOpenChange, words }} onName={create} />;
}
