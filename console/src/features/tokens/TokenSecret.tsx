import { agentCommand } from '../../parts/agent-command.ts';
import { SecretDialog } from '../../ui/overlay/SecretDialog.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { tokensCopy } from './copy.ts';

/** Shows the secret of a new deployment token, once, with the command that uses it. */
export function TokenSecret({ secret, onStored }: { secret: string | undefined; onStored: () => void }) {
  return (
    <SecretDialog
      title={tokensCopy.created}
      secret={secret}
      what={tokensCopy.secret}
      variable="CORRAL_AGENT_TOKEN"
      onStored={onStored}
    >
      <div className="flex flex-col gap-1.5">
        <span className="text-body text-ink2">{tokensCopy.secretUse}</span>
        <CodeBlock
          code={agentCommand(window.location.origin, secret ?? '')}
          what={tokensCopy.command}
          prompt="$"
        />
      </div>
    </SecretDialog>
  );
}
