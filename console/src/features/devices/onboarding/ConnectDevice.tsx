import { type Id, nameProblem } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { hubNow } from '../../../data/hub-clock.ts';
import { onboardingCopy } from './copy.ts';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { agentCommand } from '../../../parts/agent-command.ts';
import { documentPath } from '../../../parts/document-path.ts';
import { useOpenDialog } from '../../../ui/overlay/open-dialogs.ts';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { formatDate } from '../../../ui/time/format-time.ts';
import { NameForm } from '../NameForm.tsx';
import { WaitForDevice } from './WaitForDevice.tsx';
import { Step } from './Step.tsx';
import { useNewDevices } from './use-new-devices.ts';
import { type CreatedToken, useCreatedToken } from './use-created-token.ts';

const { steps } = onboardingCopy;
const nothing = () => undefined;

function problemOf(name: string): string | undefined {
  const problem = nameProblem(name, 'name');
  return problem && problemCopy[problem];
}

/** Whether there is a token whose secret is shown: none, one that the hub is asked for, or one that is shown. */
export type TokenState = 'none' | 'creating' | 'shown';

/** Three steps to a connected device: create a token, run a command on the device, and wait for it to connect. `onToken` is told whether there is a token. */
export function ConnectDevice({
  projectId,
  onToken,
}: {
  projectId: Id<'project'>;
  onToken?: (token: TokenState) => void;
}) {
  const { created, isCreating, create } = useCreatedToken(projectId);
  const token = created !== undefined ? 'shown' : isCreating ? 'creating' : 'none';
  useEffect(() => onToken?.(token), [token, onToken]);
  // Who leaves before the answer never sees the secret.
  useOpenDialog(isCreating, nothing, { isAskedFirst: true });
  if (created !== undefined) return <RunCommand projectId={projectId} created={created} />;
  return (
    <ol className="flex flex-col">
      <Step number={1} title={steps.token} state="now">
        <NameForm
          label={onboardingCopy.tokenName}
          description={onboardingCopy.tokenNameHint}
          initial={onboardingCopy.defaultName(formatDate(hubNow()))}
          required
          problemOf={problemOf}
          verb={onboardingCopy.make}
          onCreate={create}
        />
      </Step>
      <Step number={2} title={steps.command} state="later" />
      <Step number={3} title={steps.wait} state="later" isLast />
    </ol>
  );
}

function RunCommand({ projectId, created }: { projectId: Id<'project'>; created: CreatedToken }) {
  const { origin, protocol } = window.location;
  const { devices, isTokenUsed } = useNewDevices(projectId, created);
  useOpenDialog(devices.length === 0 && !isTokenUsed, nothing, { isAskedFirst: true });
  const isConnected = devices.some((device) => device.isConnected);
  const waitState = isConnected ? 'done' : devices.length > 0 ? 'now' : 'later';
  return (
    <ol className="flex flex-col">
      <Step number={1} title={steps.token} state="done" />
      <Step number={2} title={steps.command} state={devices.length > 0 ? 'done' : 'now'}>
        <div className="flex flex-col gap-2">
          <CodeBlock code={agentCommand(origin, created.token)} what={onboardingCopy.command} prompt="$" />
          <p className="text-small text-ink3">
            {onboardingCopy.once}
            {protocol === 'http:' && ` ${onboardingCopy.plain}`} {onboardingCopy.whileOpen}{' '}
            <TextLink
              render={
                <Link
                  to={documentPath('agent')}
                  hash="run-it-as-a-service"
                  target="_blank"
                  rel="noreferrer"
                />
              }
            >
              {onboardingCopy.service}
            </TextLink>
          </p>
        </div>
      </Step>
      <Step number={3} title={steps.wait} state={waitState} isLast>
        <WaitForDevice {...{ projectId, devices, isTokenUsed, origin }} />
      </Step>
    </ol>
  );
}
