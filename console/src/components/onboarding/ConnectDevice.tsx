import type { Id } from '@corral/contract';
import { enOnboarding } from '../../copy/en-devices.ts';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { agentCommand } from '../agent-command.ts';
import { AwaitDevice } from './AwaitDevice.tsx';
import { MakeToken } from './MakeToken.tsx';
import { Step } from './Step.tsx';
import { useAwaitedDevices } from './use-awaited-devices.ts';
import { type MadeToken, useMadeToken } from './use-made-token.ts';

const { steps } = enOnboarding;

/** Three steps to a connected device: a token made here, one command to paste, and the wait that ends by itself. */
export function ConnectDevice({ projectId }: { projectId: Id<'project'> }) {
  const { made, isMaking, failure, make } = useMadeToken(projectId);
  if (made !== undefined) return <RunCommand projectId={projectId} made={made} />;
  return (
    <ol className="flex flex-col">
      <Step number={1} title={steps.token} state="now">
        <MakeToken isMaking={isMaking} failure={failure} onMake={(name) => void make(name)} />
      </Step>
      <Step number={2} title={steps.command} state="later" />
      <Step number={3} title={steps.wait} state="later" isLast />
    </ol>
  );
}

function RunCommand({ projectId, made }: { projectId: Id<'project'>; made: MadeToken }) {
  const { origin, protocol } = window.location;
  const { devices, isTokenUsed } = useAwaitedDevices(projectId, made);
  const isConnected = devices.some((device) => device.isConnected);
  const waitState = isConnected ? 'done' : devices.length > 0 ? 'now' : 'later';
  return (
    <ol className="flex flex-col">
      <Step number={1} title={steps.token} state="done" />
      <Step number={2} title={steps.command} state={devices.length > 0 ? 'done' : 'now'}>
        <div className="flex flex-col gap-2">
          <CodeBlock code={agentCommand(origin, made.token)} what={enOnboarding.command} prompt="$" />
          <p className="text-small text-ink3">
            {enOnboarding.once}
            {protocol === 'http:' && ` ${enOnboarding.plain}`}
          </p>
        </div>
      </Step>
      <Step number={3} title={steps.wait} state={waitState} isLast>
        <AwaitDevice {...{ projectId, devices, isTokenUsed, origin }} />
      </Step>
    </ol>
  );
}
