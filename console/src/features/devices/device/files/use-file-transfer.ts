import type { Id, Input } from '@corral/contract';
import { useEffect, useRef, useState } from 'react';
import { useRun } from '../../../../data/action-mutation.ts';
import { issueFileUrl } from '../../../../parts/terminal/terminals.ts';
import { useOneRun } from '../../../../ui/action/use-one-run.ts';
import { useFailure } from '../../../../ui/form/use-failure.ts';
import { filesCopy as words } from './copy.ts';
import { saveAs } from './save-as.ts';
import { digestOf, fetchFile, putFile } from './transfer-file.ts';

/** A transfer that runs; without a total nothing is known of its size yet. */
export interface RunningTransfer {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

type Wanted = Omit<Input<'devices_IssueFileUrl'>, 'deviceId' | 'access' | 'sizeBytes' | 'digest'>;

/** Fetches and puts files of a device, one at a time; leaving the page cancels it. */
export function useFileTransfer(deviceId: Id<'device'>) {
  const run = useRun();
  const [running, setRunning] = useState<RunningTransfer>();
  const [done, setDone] = useState<string>();
  const [failure, attempt] = useFailure();
  const { start } = useOneRun();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  function begin(what: string, work: (transfer: Begun) => Promise<string>): void {
    const { signal } = (stop.current = new AbortController());
    setDone(undefined);
    setRunning({ what, done: 0, total: 1 });
    const transfer = {
      signal,
      onProgress: (doneBytes: number, total: number) => setRunning({ what, done: doneBytes, total }),
    };
    const cancellable = () =>
      work(transfer).catch((error: unknown) => (signal.aborted ? words.cancelled : Promise.reject(error)));
    start(() => attempt(async () => setDone(await cancellable())).finally(() => setRunning(undefined)));
  }
  const issue = async (file: Omit<Input<'devices_IssueFileUrl'>, 'deviceId'>) =>
    (await run(issueFileUrl, { deviceId, ...file })).url;
  return {
    running,
    done,
    failure,
    cancel: () => stop.current?.abort(),
    fetch: (wanted: Wanted) =>
      begin(words.fetching(wanted.path), async (transfer) => {
        const issueUrl = () => issue({ ...wanted, access: 'Read' });
        saveAs(await fetchFile({ ...transfer, issueUrl }), wanted.path.split('/').at(-1) ?? '');
        return words.fetched(wanted.path);
      }),
    put: (wanted: Wanted, file: File) =>
      begin(words.putting(wanted.path), async (transfer) => {
        const digest = await digestOf(file, transfer.signal);
        const issueUrl = () => issue({ ...wanted, access: 'Write', sizeBytes: file.size, digest });
        await putFile(file, { ...transfer, issueUrl });
        return words.wasPut(wanted.path);
      }),
  };
}

type Begun = Omit<Parameters<typeof fetchFile>[0], 'issueUrl'>;
