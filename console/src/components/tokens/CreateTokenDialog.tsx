import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { enTokens } from '../../copy/en-project.ts';
import { createDeploymentToken } from '../../data/mutations-projects.ts';
import { NameDialog } from '../NameDialog.tsx';

const words = {
  title: enTokens.new,
  text: enTokens.text,
  name: enTokens.name,
  hint: enTokens.nameHint,
  required: enTokens.nameRequired,
};

/** Creates a deployment token with Auto Accept on; `onCreated` gets the secret, which is stored nowhere else. */
export function CreateTokenDialog({
  projectId,
  open,
  onOpenChange,
  onCreated,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (secret: string) => void;
}) {
  const { mutateAsync, reset } = useMutation({ ...createDeploymentToken, gcTime: 0 });
  async function create(name: string): Promise<void> {
    // Without `reset` the mutation cache would keep the secret.
    const { token } = await mutateAsync({ projectId, name }).finally(reset);
    onOpenChange(false);
    onCreated(token);
  }
  return <NameDialog {...{ open, onOpenChange, words }} onName={create} />;
}
