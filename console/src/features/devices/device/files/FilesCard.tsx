import { fileCommands, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { documentPath } from '../../../../parts/document-path.ts';
import { deviceCommandsQuery } from '../../../../parts/operation/operations.ts';
import { type TerminalAccess, terminalAccessQuery } from '../../../../parts/terminal/terminals.ts';
import { Button } from '../../../../ui/action/Button.tsx';
import { TextField } from '../../../../ui/form/TextField.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Notice } from '../../../../ui/layout/Notice.tsx';
import { Meter } from '../../../../ui/picture/Meter.tsx';
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx';
import { TextLink } from '../../../../ui/text/TextLink.tsx';
import { filesCopy as words } from './copy.ts';
import { type RunningTransfer, useFileTransfer } from './use-file-transfer.ts';

const command = `corral-agent kit add ${Object.values(fileCommands).join(' ')}`;

/** Fetches and puts files of a device, or says why that cannot be. */
export function FilesCard({ deviceId }: { deviceId: Id<'device'> }) {
  const { data: access } = useQuery(terminalAccessQuery(deviceId));
  const { data } = useQuery(deviceCommandsQuery(deviceId));
  if (access === undefined || data === undefined) return null;
  const offered = new Set(data.manifest.commands.map(({ name }) => name));
  const [canFetch, canPut] = [offered.has(fileCommands.Read), offered.has(fileCommands.Write)];
  const why = whyNot(access);
  return (
    <Card title={words.title} isUnclipped>
      {why !== undefined ? (
        <p className="max-w-[40rem] text-body text-ink2">{why}</p>
      ) : canFetch || canPut ? (
        <FilesForm key={deviceId} {...{ deviceId, access, canFetch, canPut }} />
      ) : (
        <div className="flex max-w-[40rem] flex-col gap-2">
          <p className="text-body text-ink2">{words.notOffered}</p>
          <CodeBlock code={command} what={words.title} prompt="#" />
          <p className="text-body text-ink2">
            {words.lists}{' '}
            <TextLink render={<Link to={documentPath('device-commands')} />}>{words.more}</TextLink>
          </p>
        </div>
      )}
    </Card>
  );
}

function whyNot({ status, approval, recording }: TerminalAccess): string | undefined {
  if (status === 'Off' || status === 'NotAllowed') return words.notAllowed;
  if (approval !== 'None') return words.secondPerson;
  if (recording === 'Required') return words.recording;
  return status === 'NotConnected' ? words.notConnected : undefined;
}

interface FormProps {
  readonly deviceId: Id<'device'>;
  readonly access: TerminalAccess;
  readonly canFetch: boolean;
  readonly canPut: boolean;
}

function FilesForm({ deviceId, access: { isReasonNeeded }, canFetch, canPut }: FormProps) {
  const [typed, setTyped] = useState('');
  const [typedReason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const { running, done, failure, cancel, fetch, put } = useFileTransfer(deviceId);
  const [path, reason] = [typed.trim(), typedReason.trim()];
  const pathProblem = path.startsWith('/') ? undefined : words.pathMissing;
  const reasonProblem = isReasonNeeded && reason === '' ? words.reasonMissing : undefined;
  const why = reason === '' ? {} : { reason };
  const tried = { blurred: isTried, dirty: isTried, required: true, className: 'w-full' };
  function mayBegin(): boolean {
    setIsTried(true);
    return pathProblem === undefined && reasonProblem === undefined;
  }
  return (
    <form
      noValidate
      className="flex max-w-form flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (canFetch && mayBegin()) fetch({ path, ...why });
      }}
    >
      <p className="text-body text-ink2">{words.text}</p>
      <TextField
        {...tried}
        label={words.path}
        description={words.pathHint}
        maxLength={4_096}
        value={typed}
        onValueChange={setTyped}
        {...(pathProblem === undefined ? {} : { error: pathProblem })}
      />
      {isReasonNeeded && (
        <TextField
          {...tried}
          label={words.reason}
          maxLength={2_000}
          value={typedReason}
          onValueChange={setReason}
          {...(reasonProblem === undefined ? {} : { error: reasonProblem })}
        />
      )}
      {running !== undefined ? (
        <Progress {...{ running, cancel }} />
      ) : (
        <div className="flex flex-wrap gap-3">
          {canFetch && (
            <Button type="submit" variant="primary" icon={<Download size={15} aria-hidden />}>
              {words.fetch}
            </Button>
          )}
          {canPut && (
            <PutButton
              mayBegin={mayBegin}
              onFile={(file) =>
                put({ path: path.endsWith('/') ? `${path}${file.name}` : path, ...why }, file)
              }
            />
          )}
        </div>
      )}
      {failure !== undefined && (
        <Notice tone="danger" title={words.failed}>
          {failure}
        </Notice>
      )}
      <p role="status" className="text-body wrap-anywhere text-ink2 empty:sr-only">
        {done}
      </p>
    </form>
  );
}

function Progress({ running, cancel }: { running: RunningTransfer; cancel: () => void }) {
  const { what, done, total } = running;
  return (
    <div className="flex w-full flex-col items-start gap-3">
      <p className="text-body wrap-anywhere text-ink2">{what}</p>
      <div className="w-full">
        <Meter isProgress label={what} value={done} max={Math.max(1, total)} />
      </div>
      <Button onClick={cancel}>{words.cancel}</Button>
    </div>
  );
}

function PutButton({ mayBegin, onFile }: { mayBegin: () => boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        isWrite
        icon={<Upload size={15} aria-hidden />}
        onClick={() => {
          if (mayBegin()) input.current?.click();
        }}
      >
        {words.put}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
