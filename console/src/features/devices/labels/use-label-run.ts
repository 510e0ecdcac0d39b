import type { Input } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { type BulkItem, BulkRun, failureOf } from '../../../parts/bulk-run.ts';
import { deviceLabel, type ListedDevice } from '../../../parts/listed-device.ts';
import { showBulkProgress, showBulkResult } from '../../../parts/show-bulk-result.ts';
import { setLabel } from '../mutations.ts';
import { labelsCopy as words } from './copy.ts';

/** A device whose labels are changed. */
export type LabelledDevice = Pick<ListedDevice, 'deviceId' | 'name' | 'hostname' | 'labels'>;

/** What is done: the label gets the value, or is removed where there is none. */
interface LabelChange {
  readonly name: string;
  readonly value?: string;
}

type Former = Map<string, Input<'devices_SetDeviceLabel'>['value']>;

/** Changes one label of several devices, each in a call of its own; those that are done can be undone, each to the value that it had. */
export function useLabelRun(devices: readonly LabelledDevice[], title: string) {
  const call = useRun();
  const client = useQueryClient();
  const [run, setRun] = useState(() => itemsRun(devices));
  const [former] = useState<Former>(() => new Map());
  const [failure, setFailure] = useState<string>();
  useEffect(
    () => () => {
      // The page was left: after Cancel the run is stopped.
      if (run.isRunning()) showBulkProgress(run, title);
    },
    [run, title],
  );
  function showResult({ name, value }: LabelChange, ended: BulkRun, wasClosed: boolean): void {
    const restore = devices.map((device) => ({
      ...named(device),
      perform: () => {
        const before = former.get(device.deviceId);
        return call(setLabel, {
          deviceId: device.deviceId,
          name,
          ...(before === undefined ? {} : { value: before }),
        });
      },
    }));
    const done = (n: number) => (value === undefined ? words.removed(n, name) : words.done(n, name, value));
    const undo = { items: restore, notUndone: words.notRestored };
    showBulkResult(ended, { done, undo }, wasClosed);
  }
  /** Resolves to the run when it has ended. */
  async function start(change: LabelChange): Promise<BulkRun> {
    const items = devices.map((device): BulkItem => ({
      ...named(device),
      perform: async () => {
        const { before } = await call(setLabel, { deviceId: device.deviceId, ...change });
        former.set(device.deviceId, before);
      },
    }));
    const next = new BulkRun(items, run.results());
    setRun(next);
    setFailure(undefined);
    const failed = await next.start();
    // Others see it within a minute.
    void client.invalidateQueries({ queryKey: ['projects_CountFilteredDevices'] });
    if (failed.length > 0) setFailure(failureOf(failed, items.length));
    return next;
  }
  return { run, start, failure, showResult };
}

const named = (device: LabelledDevice) => ({ key: device.deviceId, name: deviceLabel(device) });

/** Shows the devices before anything is done. */
function itemsRun(devices: readonly LabelledDevice[]): BulkRun {
  return new BulkRun(devices.map((device) => ({ ...named(device), perform: () => Promise.resolve() })));
}
