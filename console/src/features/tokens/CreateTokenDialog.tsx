import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { terms } from '../../copy/terms.ts';
import { tokensCopy } from './copy.ts';
import { createDeploymentToken } from '../../parts/create-deployment-token.ts';
import { NameDialog } from '../../parts/NameDialog.tsx';

const words = () => ({
  title: tokensCopy.new,
  text: tokensCopy.text,
  name: tokensCopy.name,
  hint: tokensCopy.nameHint,
  required: terms.nameRequired,
});

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
  return <NameDialog {...{ open, onOpenChange }} words={words()} onName={create} />;
}
